import type { ClientBase } from 'pg';
import type { Instant } from '../../protocol/entities/recorded.ts';
import type { TransactionId } from '../../protocol/ids.ts';
import type { Clock } from '../clock.ts';
import { loadEntities, type WorkingSet } from '../entities/stores.ts';
import type { ChainedEntry } from '../ledger/chain.ts';
import type { Fence } from '../ledger/fence.ts';
import { type Head, lockHead } from '../ledger/head.ts';
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

export interface BatchParts {
  readonly clock: Clock;
  readonly plugIns: readonly PlugIn[];
  readonly fence: Fence;
  /** The wait for the lock of the head, in seconds. */
  readonly onHeadLocked?: (seconds: number) => void;
}

/**
 * Begins the transaction: locks the ledger's head and loads the read set behind the lock, in one round trip. The lock
 * orders the batches of all processes on the database.
 * @throws UNAVAILABLE if the database has lost operations
 */
export async function beginBatch(
  client: ClientBase,
  { clock, plugIns, fence, onHeadLocked }: BatchParts,
  submissions: readonly Submission[],
): Promise<Batch> {
  const references = submissions.flatMap((submission) => submission.references);
  const hashes = submissions.flatMap(({ nonceHash }) => nonceHash ?? []);
  const begun = performance.now();
  // All are sent at once: the connection pipelines the queries, and the server runs them in this order.
  const begin = client.query('BEGIN');
  const locked = lockHead(client, clock).then((row) => {
    onHeadLocked?.((performance.now() - begun) / 1000);
    return row;
  });
  const [head, , , nonces, entities, ...states] = await Promise.all([
    locked,
    begin,
    fence.admit(client, locked),
    loadNonces(client, hashes),
    loadEntities(client, references),
    ...plugIns.map((plugIn) => plugIn.load(client, submissions)),
  ]);
  return {
    head,
    at: acceptanceTime(clock, head, submissions),
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
