import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { parseCheckpoint } from '../../../protocol/transparency/checkpoint.ts';
import type { Hash } from '../../../protocol/transparency/merkle.ts';
import { consistencyProof, consistencySubtrees } from '../../../protocol/transparency/merkle-proof.ts';
import type { Note } from '../../../protocol/transparency/note.ts';
import type { Witness } from '../../settings/witness-list.ts';
import { requestCosignature, WitnessProblem } from './ask-witness.ts';
import { lastCosignedSize, storeCosignature, storedTreeSize, storeProblem } from './cosignatures.ts';
import { readHashes } from './tiles.ts';

/** How long a checkpoint waits to be published with the cosignatures of witnesses that answered the last time. */
const PATIENCE_MS = 2_000;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** How old the cosignature of a tree that does not grow may become. It also finds a witness that is missing meanwhile. */
const REFRESH_MS = 10 * 60_000;

export interface Witnessing {
  /**
   * Requests cosignatures of a checkpoint of this log from every witness; null ends the requests. Returns when every witness that
   * answered in time before has answered, at most after two seconds. Requests continue after that.
   */
  request(note: Note | null): Promise<void>;
  stop(): Promise<void>;
}

export interface WitnessingParts {
  readonly pool: Pool;
  readonly witnesses: readonly Witness[];
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** Starts a loop for each witness, so that none of them delays another. Their cosignatures are stored. */
export function startWitnessing(parts: WitnessingParts): Witnessing {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const proofs = inTurn((oldSize, size) => proofBetween(parts.pool, oldSize, size));
  const followed = parts.witnesses.map((witness) => followWitness({ ...parts, proofs }, witness, stopping.signal));
  return {
    async request(note) {
      const target = note && { note, size: parseCheckpoint(note.text).size };
      const answered = Promise.all(followed.map(({ request }) => request(target)));
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, PATIENCE_MS);
      });
      await Promise.race([answered, late]).finally(() => clearTimeout(timer));
    },
    async stop() {
      stopping.abort();
      await Promise.all(followed.map(({ ended }) => ended));
    },
  };
}

type ProofBetween = (oldSize: number, size: number) => Promise<readonly Hash[]>;

async function proofBetween(pool: Pool, oldSize: number, size: number): Promise<readonly Hash[]> {
  const client = await pool.connect();
  try {
    return consistencyProof(oldSize, size, await readHashes(client, consistencySubtrees(oldSize, size), size));
  } finally {
    client.release();
  }
}

/** One after the other, so that proofs for all witnesses never use more than one connection of the writes. */
function inTurn(prove: ProofBetween): ProofBetween {
  let last: Promise<unknown> = Promise.resolve();
  return (oldSize, size) => {
    const proof = last.then(() => prove(oldSize, size));
    last = proof.catch(() => undefined);
    return proof;
  };
}

interface Target {
  readonly note: Note;
  readonly size: number;
}

interface Followed {
  /** Returns when the witness has answered, at once if it is known to be slow or missing. */
  request(target: Target | null): Promise<void>;
  /** The end of the loop. */
  readonly ended: Promise<void>;
}

function followWitness(
  { pool, log, proofs }: WitnessingParts & { readonly proofs: ProofBetween },
  witness: Witness,
  stopping: AbortSignal,
): Followed {
  const { name } = witness.key;
  let target: Target | null = null;
  let isPrompt = true;
  let problem: string | null = null;
  let pausing = new AbortController();
  let waiting: { readonly size: number; readonly settle: () => void }[] = [];

  function settle(size: number): void {
    for (const request of waiting) if (request.size <= size) request.settle();
    waiting = waiting.filter((request) => request.size > size);
  }

  function request(next: Target | null): Promise<void> {
    if (next?.size === target?.size) return Promise.resolve();
    target = next;
    pausing.abort();
    if (!next) settle(Number.POSITIVE_INFINITY);
    if (!next || !isPrompt) return Promise.resolve();
    return new Promise((resolve) => waiting.push({ size: next.size, settle: resolve }));
  }

  async function ask({ note, size }: Target): Promise<void> {
    const begun = performance.now();
    const from = await lastCosignedSize(pool, witness);
    const proofFrom = (oldSize: number) => proofs(oldSize, size);
    await storeCosignature(pool, witness, size, await requestCosignature(witness, { note, from, proofFrom }, stopping));
    isPrompt = performance.now() - begun < PATIENCE_MS;
    if (problem !== null) log.info({ witness: name }, 'a witness cosigns again');
    problem = null;
  }

  async function report(error: unknown): Promise<void> {
    const found = error instanceof WitnessProblem ? error : null;
    // Another process may have signed a larger tree meanwhile.
    if (found?.largerSize && found.largerSize <= (await storedTreeSize(pool))) return;
    if (found) await storeProblem(pool, witness, found);
    const sentence = found?.message ?? String(error);
    if (sentence === problem) return;
    problem = sentence;
    log[found?.isAlarm ? 'error' : 'warn']({ witness: name, problem: sentence }, 'a witness does not cosign');
  }

  /** Until the time is over, or the target is no longer `asked`. */
  async function pause(ms: number, asked: Target | null): Promise<void> {
    if (target !== asked || stopping.aborted) return;
    pausing = new AbortController();
    await sleep(ms, undefined, { signal: pausing.signal }).catch(() => undefined);
  }

  async function follow(): Promise<void> {
    stopping.addEventListener('abort', () => pausing.abort());
    let retryMs = FIRST_PAUSE_MS;
    while (!stopping.aborted) {
      const asked = target;
      let pauseMs = REFRESH_MS;
      try {
        if (asked) await ask(asked);
        retryMs = FIRST_PAUSE_MS;
        settle(asked?.size ?? 0);
      } catch (error) {
        isPrompt = false;
        if (!stopping.aborted) await report(error).catch(() => undefined);
        settle(Number.POSITIVE_INFINITY);
        pauseMs = retryMs;
        retryMs = Math.min(retryMs * 2, LONGEST_PAUSE_MS);
      }
      await pause(pauseMs, asked);
    }
  }
  return { request, ended: follow() };
}
