import { isRefusal, refusal } from '../../protocol/errors.ts';
import { createReaders } from '../entities/readers.ts';
import { createTokenReader } from '../features/read/read-token.ts';
import type { Standby, Standbys } from '../platform/db/standbys.ts';
import type { RecentWrites } from '../platform/process/parent-process.ts';
import type { Context } from './context.ts';

/** A response of a write has the seq in this header; a request asks in it for a state that contains that entry. */
export const SEQ_HEADER = 'X-Perpetua-Seq';

/** Who reads, and the seq of the last entry that the response must know. */
export interface Reading {
  readonly address: string;
  readonly minSeq: number;
}

/** Public reads, on a standby if one is usable and knows what the client has written; otherwise on the primary. */
export interface PublicReads {
  /** `work` may run a second time, on the primary, if a standby fails. */
  run<Result>(
    context: Context,
    reading: Reading,
    work: (services: Context) => Promise<Result> | Result,
  ): Promise<Result> | Result;
  /** The client at this address has written an entry up to this seq. Await it before the client gets its response. */
  wrote(address: string, seq: number): Promise<void>;
  readonly standbys: readonly Standby[];
  stop(): Promise<void>;
}

type Services = Pick<Context, 'pool' | 'listPool' | 'readers' | 'tokens'>;

interface Target {
  readonly standby: Standby;
  readonly services: Services;
}

export interface PublicReadParts {
  readonly standbys: Standbys;
  readonly suffix: string;
  readonly recentWrites: RecentWrites;
  readonly onRead: (target: string) => void;
}

export function createPublicReads({ standbys, suffix, recentWrites, onRead }: PublicReadParts): PublicReads {
  const { all, stop } = standbys;
  const targets = all.map((standby): Target => {
    const { pool, listPool } = standby;
    const services = {
      pool,
      listPool,
      readers: createReaders(pool, suffix),
      tokens: createTokenReader(pool, listPool),
    };
    return { standby, services };
  });
  let turn = 0;

  async function choose({ address, minSeq }: Reading): Promise<Target | null> {
    // A parent process that does not answer may know of a write.
    const written = await Promise.resolve(recentWrites.writtenBy(address)).catch(() => Number.POSITIVE_INFINITY);
    const seq = Math.max(minSeq, written);
    const usable = targets.filter(({ standby }) => standby.isUsable() && standby.seq() >= seq);
    turn += 1;
    return usable[turn % usable.length] ?? null;
  }

  const runOnStandby: PublicReads['run'] = async (context, reading, work) => {
    const target = await choose(reading);
    if (target) {
      try {
        const result = await work({ ...context, ...target.services });
        onRead(target.standby.name);
        return result;
      } catch (error) {
        // Replay can cancel a statement, and a standby can lack a migration: the primary decides.
        if (isRefusal(error) && error.code !== 'UNAVAILABLE') throw error;
      }
    }
    onRead('primary');
    return work(context);
  };

  return {
    standbys: all,
    stop,
    async wrote(address, seq) {
      if (targets.length === 0) return;
      // The entry is durable: its response does not fail because the parent process does not answer.
      await Promise.resolve(recentWrites.wrote(address, seq)).catch(() => undefined);
    },
    run(context, reading, work) {
      if (targets.length > 0) return runOnStandby(context, reading, work);
      onRead('primary');
      return work(context);
    },
  };
}

/** The seq that a request asks for; 0 without the header. @throws VALIDATION_FAILED */
export function minSeqOf(header: (name: string) => string | undefined): number {
  const text = header(SEQ_HEADER.toLowerCase());
  if (text === undefined) return 0;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const message = 'must be the seq of an entry';
  throw refusal('VALIDATION_FAILED', `The header ${SEQ_HEADER} ${message}.`, {
    issues: [{ path: SEQ_HEADER, message }],
  });
}
