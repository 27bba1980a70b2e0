import { isRefusal, refusal } from '../../protocol/errors.ts';
import type { Context } from '../context.ts';
import type { Standby, Standbys } from '../db/standbys.ts';
import { createReaders } from '../entities/readers.ts';
import { createTokenReader } from '../read/read-token.ts';

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
  run<Result>(context: Context, reading: Reading, work: (services: Context) => Promise<Result>): Promise<Result>;
  /** The client at this address has written an entry up to this seq. */
  wrote(address: string, seq: number): void;
  readonly standbys: readonly Standby[];
  stop(): Promise<void>;
}

const REMEMBERED_MS = 60_000;
const MAX_REMEMBERED = 10_000;

type Services = Pick<Context, 'pool' | 'listPool' | 'readers' | 'tokens'>;

interface Target {
  readonly standby: Standby;
  readonly services: Services;
}

export function createPublicReads(
  { all, stop }: Standbys,
  suffix: string,
  onRead: (target: string) => void,
): PublicReads {
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
  /** By address, in the order of the last write. */
  const writes = new Map<string, { readonly seq: number; readonly at: number }>();
  let turn = 0;

  function writtenBy(address: string): number {
    const write = writes.get(address);
    if (!write) return 0;
    if (performance.now() - write.at < REMEMBERED_MS) return write.seq;
    writes.delete(address);
    return 0;
  }

  function choose({ address, minSeq }: Reading): Target | null {
    if (targets.length === 0) return null;
    const seq = Math.max(minSeq, writtenBy(address));
    const usable = targets.filter(({ standby }) => standby.isUsable() && standby.seq() >= seq);
    turn += 1;
    return usable[turn % usable.length] ?? null;
  }

  return {
    standbys: all,
    stop,
    wrote(address, seq) {
      if (targets.length === 0) return;
      writes.delete(address);
      writes.set(address, { seq, at: performance.now() });
      const [oldest] = writes.keys();
      if (writes.size > MAX_REMEMBERED && oldest !== undefined) writes.delete(oldest);
    },
    async run(context, reading, work) {
      const target = choose(reading);
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
