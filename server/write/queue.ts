import { setImmediate } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { isRefusal, refusal } from '../../protocol/errors.ts';
import { isConnectionLoss } from '../platform/db/pool.ts';
import type { RecordSpan, Tracing } from '../platform/observe/tracing.ts';
import type { Intake } from './batch.ts';
import { type CommitParts, commitBatch } from './commit.ts';
import type { Charges, Receipt, Verdict } from './decide.ts';
import type { Submission } from './submission.ts';

export interface WriteQueue {
  /** Orders a submission. Resolves when it is durable; rejects with a ProtocolError if it is refused. */
  submit(submission: Submission): Promise<Receipt>;
  /** Operations that wait for a batch. */
  length(): number;
  /** Resolves when the queue is empty. */
  idle(): Promise<void>;
}

export interface QueueParts extends CommitParts {
  readonly pool: Pool;
  readonly tracing?: Tracing;
  /** A batch failed because the database was not reachable. */
  readonly onDatabaseLost?: () => void;
  /** Each batch: how long every operation waited for it, and its own time, in seconds. */
  readonly onBatch?: (batch: { readonly queueSeconds: readonly number[]; readonly seconds: number }) => void;
}

const MAX_BATCH = 256;
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const MAX_WAITING = 4_096;
/** Of a batch, the share of operations with a reserve while others wait too, so that neither waits for all of the other. */
const RESERVED_SHARE = 0.75;

interface Waiting {
  readonly submission: Submission;
  /** The number of its arrival. */
  readonly order: number;
  /** Milliseconds of performance.now(). */
  readonly since: number;
  readonly record: RecordSpan | null;
  readonly resolve: (receipt: Receipt) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Group commit: a worker takes everything in the queue and commits it as one batch, until the queue is empty. After a batch that
 * had to wait for another process, the next one is taken once the head is locked, so that it has what arrived meanwhile.
 */
export function createQueue(parts: QueueParts): WriteQueue {
  let waiting: Waiting[] = [];
  /** Operations with a reserve, which must not wait behind new identities. Protocol §6. */
  let reserved: Waiting[] = [];
  let arrived = 0;
  let isContended = false;
  let working: Promise<void> | null = null;
  let answered: Promise<void> | null = null;

  async function work(): Promise<void> {
    // Lets requests that have already arrived be verified first, so that they join this batch.
    await setImmediate();
    while (waiting.length + reserved.length > 0) {
      let batch: readonly Waiting[] = [];
      const begun = performance.now();
      let taken = begun;
      const verdicts = await commitOrRefuse(parts, {
        afterLock: isContended && waiting.length + reserved.length < MAX_BATCH,
        onLocked: (contended) => (isContended = contended),
        take() {
          if (batch.length === 0) {
            batch = nextBatch();
            taken = performance.now();
          }
          return batch.map(({ submission }) => submission);
        },
      });
      const queueSeconds = batch.map(({ since }) => (taken - since) / 1000);
      const ended = performance.now();
      parts.onBatch?.({ queueSeconds, seconds: (ended - begun) / 1000 });
      for (const { since, record } of batch) {
        record?.('queue', { from: since, to: taken });
        record?.('commit', { from: taken, to: ended }, { 'perpetua.batch.operations': batch.length });
      }
      // In the next turn of the event loop: by then the database works on the next batch.
      answered = setImmediate().then(() => settle(batch, verdicts));
    }
    working = null;
  }

  function nextBatch(): readonly Waiting[] {
    const sizes = batchSizes(reserved, waiting);
    const batch = [...reserved.slice(0, sizes.reserved), ...waiting.slice(0, sizes.others)];
    // A person's grant stays before the revocation that was sent after it.
    if (sizes.reserved > 0 && sizes.others > 0) batch.sort((one, other) => one.order - other.order);
    reserved = reserved.slice(sizes.reserved);
    waiting = waiting.slice(sizes.others);
    return batch;
  }

  return {
    submit: (submission) =>
      new Promise((resolve, reject) => {
        const line = submission.reserve === null ? waiting : reserved;
        if (line.length >= MAX_WAITING) {
          reject(refusal('UNAVAILABLE', 'Too many operations are waiting; try again shortly.'));
          return;
        }
        const record = parts.tracing?.below() ?? null;
        line.push({ submission, order: ++arrived, since: performance.now(), record, resolve, reject });
        working ??= work();
      }),
    length: () => waiting.length + reserved.length,
    idle: async () => {
      await working;
      await answered;
    },
  };
}

function settle(batch: readonly Waiting[], verdicts: readonly Verdict[]): void {
  for (const [index, { resolve, reject }] of batch.entries()) {
    const verdict = verdicts[index] ?? refusal('INTERNAL');
    if (verdict instanceof Error) reject(verdict);
    else resolve(verdict);
  }
}

type Sized = { readonly submission: Pick<Submission, 'ciphertextBytes'> };

/** How many of both lines join the next batch, those with a reserve first: at least one, within the limits. */
export function batchSizes(reserved: readonly Sized[], others: readonly Sized[]): { reserved: number; others: number } {
  const first = reserved.slice(0, others.length > 0 ? MAX_BATCH * RESERVED_SHARE : MAX_BATCH);
  const candidates = [...first, ...others.slice(0, MAX_BATCH - first.length)];
  let bytes = 0;
  const fitting = candidates.findIndex(({ submission }) => {
    bytes += submission.ciphertextBytes;
    return bytes > MAX_BATCH_BYTES;
  });
  const size = fitting < 0 ? candidates.length : Math.max(1, fitting);
  const taken = Math.min(first.length, size);
  return { reserved: taken, others: size - taken };
}

/** After an unexpected error each half is tried alone, so that only the submission that causes it fails. */
async function commitOrRefuse(parts: QueueParts, intake: Intake): Promise<readonly Verdict[]> {
  try {
    return await commitWithRetries(parts, intake);
  } catch (error) {
    const submissions = intake.take();
    if (isConnectionLoss(error)) {
      parts.onDatabaseLost?.();
      const unreachable = refusal('UNAVAILABLE', 'The database is not reachable at the moment; try again shortly.');
      return submissions.map(() => unreachable);
    }
    if (isRefusal(error) && error.code === 'UNAVAILABLE') return submissions.map(() => error);
    parts.onUnexpected(error);
    if (submissions.length < 2) return [refusal('INTERNAL')];
    const half = Math.ceil(submissions.length / 2);
    const part = (some: readonly Submission[]) => commitOrRefuse(parts, { take: () => some, afterLock: false });
    const first = await part(submissions.slice(0, half));
    return [...first, ...(await part(submissions.slice(half)))];
  }
}

/** PostgreSQL's unique_violation, serialization_failure and deadlock_detected: another transaction was first. */
const CONFLICTS = new Set(['23505', '40001', '40P01']);
const isConflict = (error: unknown): boolean => CONFLICTS.has((error as { code?: string }).code ?? '');
const ATTEMPTS = 4;

/** Reads outside the ledger also spend nonces and create data keys. A batch that conflicts with one is retried. */
async function commitWithRetries(parts: QueueParts, intake: Intake): Promise<readonly Verdict[]> {
  const charges: Charges = new Map();
  for (let attempt = 1; ; attempt++) {
    const client = await parts.pool.connect();
    try {
      const verdicts = await commitBatch(parts, client, intake, charges);
      client.release();
      return verdicts;
    } catch (error) {
      await rollBack(client);
      if (attempt === ATTEMPTS || !isConflict(error)) throw error;
    }
  }
}

/** A connection that cannot roll back is discarded. */
async function rollBack(client: PoolClient): Promise<void> {
  const failure = await client.query('ROLLBACK').then(
    () => undefined,
    (error: Error) => error,
  );
  client.release(failure);
}
