import type { ClientBase } from 'pg';
import type { TransactionId } from '../../protocol/ids.ts';
import type { Instant } from '../../protocol/recorded.ts';
import type { Clock } from '../clock.ts';
import { loadEntities, type WorkingSet } from '../entities/stores.ts';
import type { ChainedEntry } from '../ledger/chain.ts';
import { type Head, lockHead } from '../ledger/head.ts';
import { loadNonces, type NewNonce } from './nonces.ts';
import type { PlugIn } from './plug-in.ts';
import type { Submission } from './submission.ts';

/** A batch inside its transaction: what it has read, and what it will write. */
export interface Batch {
  /** Where the ledger ended before this batch. */
  readonly head: Head;
  /** When the operations of the batch are accepted. */
  readonly at: Instant;
  readonly entities: WorkingSet;
  /** Used nonces in hex, with the transaction that used each; null where the request was refused. */
  readonly nonces: Map<string, TransactionId | null>;
  readonly newNonces: NewNonce[];
  readonly entries: ChainedEntry[];
  /** Entities whose private rows end with this batch. */
  readonly vaultsToErase: string[];
  /** What each plug-in knows of the batch: see stateOf. */
  readonly states: ReadonlyMap<PlugIn, unknown>;
}

/**
 * Begins the transaction: locks the head of the ledger and loads the read set of the batch behind the lock, all in one round
 * trip. The lock orders the batches of every process that shares the database.
 */
export async function beginBatch(
  client: ClientBase,
  clock: Clock,
  plugIns: readonly PlugIn[],
  submissions: readonly Submission[],
): Promise<Batch> {
  const references = submissions.flatMap((submission) => submission.references);
  const hashes = submissions.flatMap(({ signed }) => (signed ? [signed.nonceHash] : []));
  // Sent at once: the connection pipelines the queries and the server runs them in this order.
  const [, head, nonces, entities, ...states] = await Promise.all([
    client.query('BEGIN'),
    lockHead(client, clock),
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

/** Now, but never before the entry before it: the clock of another process may be ahead. */
function acceptanceTime(clock: Clock, head: Head, submissions: readonly Submission[]): Instant {
  const earliest = [head.acceptedAt, ...submissions.map(({ notBefore }) => notBefore)];
  const times = earliest.map((time) => (time === null ? 0 : Date.parse(time)));
  return new Date(Math.max(clock.now(), ...times)).toISOString();
}
