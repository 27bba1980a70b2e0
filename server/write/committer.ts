import { setImmediate } from 'node:timers/promises';
import type { ClientBase, Pool, PoolClient } from 'pg';
import { refusal } from '../../protocol/errors.ts';
import { isConnectionLoss } from '../db/pool.ts';
import { commit, MustLook } from './commit.ts';
import type { Charges, Receipt, Verdict } from './decide.ts';
import { createFoothold, type Foothold } from './foothold.ts';
import type { Submission } from './submission.ts';
import type { CommitParts } from './work.ts';

export interface Committer {
  /** Orders an operation. Resolves when it is durable; rejects with a ProtocolError when it is refused. */
  submit(submission: Submission): Promise<Receipt>;
  /** Resolves when nothing is waiting any more. */
  idle(): Promise<void>;
}

export interface CommitterParts extends CommitParts {
  readonly pool: Pool;
}

const MAX_BATCH = 256;
const MAX_WAITING = 4_096;

/** Of records, in bytes: beyond, a batch takes no more operations. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024;

interface Waiting {
  readonly submission: Submission;
  readonly resolve: (receipt: Receipt) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit under the ledger head: whatever is waiting is ordered, applied and made durable in one transaction. Several
 * processes may do so on one database; the head's row lock orders them. One that is alone presumes where the head is (foothold.ts).
 */
export function createCommitter(parts: CommitterParts): Committer {
  let waiting: Waiting[] = [];
  let working: Promise<void> | null = null;
  const foothold = createFoothold();

  async function work(): Promise<void> {
    // What has arrived already is verified first, so that it shares this transaction instead of waiting for the next.
    await setImmediate();
    const line = createLine(parts.pool);
    let answer = () => {};
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize(waiting));
      waiting = waiting.slice(batch.length);
      // Nobody waits for a connection to be answered.
      if (!line.isOpen()) answer();
      // While the database is at work on this batch, the one before it is answered.
      const verdicts = await decided(parts, foothold, line, batch, answer);
      answer();
      answer = answering(batch, verdicts);
    }
    line.release();
    working = null;
    answer();
  }

  return {
    submit: (submission) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= MAX_WAITING)
          return reject(refusal('UNAVAILABLE', 'Too many operations are waiting; try again shortly.'));
        waiting.push({ submission, resolve, reject });
        working ??= work();
      }),
    idle: async () => {
      await working;
    },
  };
}

/** How many of those waiting go together: at least one. */
function batchSize(waiting: readonly Waiting[]): number {
  let bytes = 0;
  const size = waiting.slice(0, MAX_BATCH).findIndex(({ submission: { records } }) => {
    for (const { ciphertext } of records?.rows ?? []) bytes += ciphertext.length;
    return bytes > MAX_BATCH_BYTES;
  });
  return size < 0 ? MAX_BATCH : Math.max(1, size);
}

/** Answers a batch at its first call. */
function answering(batch: readonly Waiting[], verdicts: readonly Verdict[]): () => void {
  let isAnswered = false;
  return () => {
    if (isAnswered) return;
    isAnswered = true;
    for (const [index, { resolve, reject }] of batch.entries()) {
      const verdict = verdicts[index] ?? refusal('INTERNAL');
      if (verdict instanceof Error) reject(verdict);
      else resolve(verdict);
    }
  };
}

async function decided(
  parts: CommitterParts,
  foothold: Foothold,
  line: Line,
  batch: readonly Waiting[],
  meanwhile: () => void,
): Promise<readonly Verdict[]> {
  try {
    return await committed(
      parts,
      foothold,
      line,
      batch.map(({ submission }) => submission),
      meanwhile,
    );
  } catch (error) {
    if (!isConnectionLoss(error)) parts.onUnexpected(error);
    const lost = refusal('UNAVAILABLE', 'The database is not reachable at the moment; try again shortly.');
    return batch.map(() => (isConnectionLoss(error) ? lost : refusal('INTERNAL')));
  }
}

/** What PostgreSQL calls a connection that is in no transaction. */
const OUTSIDE = 'I';

/** One connection for as long as there is something to do: what is sent on it at once is not put off by taking it from the pool. */
interface Line {
  isOpen(): boolean;
  use<Result>(work: (client: ClientBase) => Promise<Result>): Promise<Result>;
  release(): void;
}

function createLine(pool: Pool): Line {
  let client: PoolClient | null = null;
  return {
    isOpen: () => client !== null,
    async use(work) {
      client ??= await pool.connect();
      try {
        return await work(client);
      } catch (error) {
        // A conflict of a write has ended its transaction; of what else went wrong nobody knows what it has left behind.
        if (!isConflict(error) || client.getTransactionStatus() !== OUTSIDE) {
          client.release(error as Error);
          client = null;
        }
        throw error;
      }
    },
    release: () => client?.release(),
  };
}

/**
 * PostgreSQL's unique_violation, not_null_violation (the head was moved), serialization_failure and deadlock_detected: somebody
 * was there first.
 */
const CONFLICTS = new Set(['23505', '23502', '40001', '40P01']);
const isConflict = (error: unknown): boolean =>
  error instanceof MustLook || CONFLICTS.has((error as { code?: string }).code ?? '');
const ATTEMPTS = 4;

/**
 * What does not go through the ledger spends nonces too, and seals rows, another process may have moved the head, and what was
 * presumed to be new may not be: the batch looks again at what it met, from then on behind the head's lock.
 */
async function committed(
  parts: CommitterParts,
  foothold: Foothold,
  line: Line,
  batch: readonly Submission[],
  meanwhile: () => void,
): Promise<readonly Verdict[]> {
  const charges: Charges = new Map();
  for (let attempt = 1; ; attempt++) {
    const presumed = attempt === 1 ? foothold.presumed() : null;
    const presumesNew = presumed !== null && foothold.isUndisturbed();
    const going = { presumed, presumesNew, charges, meanwhile };
    try {
      const { verdicts, found, left } = await line.use((client) => commit(parts, client, batch, going));
      if (presumed) foothold.kept(left);
      else foothold.locked(found, left);
      return verdicts;
    } catch (error) {
      foothold.lost();
      if (attempt === ATTEMPTS || !isConflict(error)) throw error;
    }
  }
}
