import type { ClientBase } from 'pg';
import type { Instant } from '../../protocol/entities/recorded.ts';
import type { TransactionId } from '../../protocol/ids.ts';
import { loadEntities, type WorkingSet } from '../entities/stores.ts';
import type { ChainedEntry } from '../ledger/chain.ts';
import type { Fence } from '../ledger/fence.ts';
import type { Head } from '../ledger/head.ts';
import type { Clock } from '../platform/db/clock.ts';
import { inOneWrite } from '../platform/db/one-write.ts';
import { loadNonces, type NewNonce } from './nonces.ts';
import type { PlugIn } from './plug-in.ts';
import type { Submission } from './submission.ts';

/** A batch inside its transaction: its read set and its pending writes. */
export interface Batch {
  /** The ledger's head before this batch. */
  readonly head: Head;
  /** The acceptance time of the batch. */
  readonly at: Instant;
  readonly entities: WorkingSet;
  /** Used nonces in hex, each with its transaction; null if that request was refused. */
  readonly nonces: Map<string, TransactionId | null>;
  readonly newNonces: NewNonce[];
  readonly entries: ChainedEntry[];
  /** Entities whose private rows this batch erases. */
  readonly vaultsToErase: string[];
  /** The state of each plug-in: see stateOf. */
  readonly states: ReadonlyMap<PlugIn, unknown>;
}

/** A free lock is granted in a few tenths of this. */
const CONTENDED_MS = 1;

/** Where a batch comes from. */
export interface Intake {
  /** The operations of the batch, the same at each call. */
  take(): readonly Submission[];
  /**
   * Whether the operations are taken once the head is locked. Where other processes hold it, the batch then has what arrived
   * while it was waited for; otherwise this would only cost a round trip.
   */
  readonly afterLock: boolean;
  /** Receives whether another transaction held the head for CONTENDED_MS. */
  readonly onLocked?: (isContended: boolean) => void;
}

export interface BatchParts {
  readonly clock: Clock;
  readonly plugIns: readonly PlugIn[];
  readonly fence: Fence;
  /** The wait for the lock of the head, in seconds. */
  readonly onHeadLocked?: (seconds: number) => void;
}

/**
 * Begins the transaction: locks the ledger's head and loads the read set behind the lock, in one round trip, or two for an
 * intake after the lock. The lock orders the batches of all processes on the database.
 * @throws UNAVAILABLE if the database has lost operations
 */
export async function beginBatch(
  client: ClientBase,
  { clock, plugIns, fence, onHeadLocked }: BatchParts,
  { take, afterLock, onLocked }: Intake,
): Promise<Batch> {
  const begun = performance.now();
  const lock = () => {
    const begin = client.query('BEGIN');
    const locked = fence.lockHead(client, clock, (waitedMs) => {
      onLocked?.(waitedMs >= CONTENDED_MS);
      onHeadLocked?.((performance.now() - begun) / 1000);
    });
    return Promise.all([locked, begin]);
  };
  const load = () => {
    const submissions = take();
    const references = submissions.flatMap((submission) => submission.references);
    const hashes = submissions.flatMap(({ nonceHash }) => nonceHash ?? []);
    return Promise.all([
      loadNonces(client, hashes),
      loadEntities(client, references, clock.now()),
      ...plugIns.map((plugIn) => plugIn.load(client, submissions)),
    ]);
  };
  const [[head], [nonces, entities, ...states]] = afterLock
    ? [await inOneWrite(client, lock), await inOneWrite(client, load)]
    : await inOneWrite(client, () => Promise.all([lock(), load()]));
  return {
    head,
    at: acceptanceTime(clock, head, take()),
    entities,
    nonces,
    newNonces: [],
    entries: [],
    vaultsToErase: [],
    states: new Map(plugIns.map((plugIn, index) => [plugIn, states[index]])),
  };
}

/** The current time, but never earlier than the previous entry: another process's clock may be ahead. */
function acceptanceTime(clock: Clock, head: Head, submissions: readonly Submission[]): Instant {
  const earliest = [head.acceptedAt, ...submissions.map(({ notBefore }) => notBefore)];
  const times = earliest.map((time) => (time === null ? 0 : Date.parse(time)));
  return new Date(Math.max(clock.now(), ...times)).toISOString();
}
