import type { ClientBase } from 'pg';
import type { Clock } from '../clock.ts';
import { runAll } from '../db/statement.ts';
import { addEntities, saveEntities } from '../entities/stores.ts';
import { headAfter, insertEntries, moveHead } from '../ledger/append.ts';
import type { Fence } from '../ledger/fence.ts';
import { type Batch, beginBatch, type Intake } from './batch.ts';
import { type Charges, type DecideParts, decide, type Verdict } from './decide.ts';
import { saveNonces } from './nonces.ts';
import type { PlugIn } from './plug-in.ts';

export interface CommitParts extends DecideParts {
  readonly clock: Clock;
  readonly fence: Fence;
  /** Resolves once it is known whether the database may have lost operations; at once, except after a start or a lost connection. */
  readonly settled?: () => Promise<void>;
  /** The wait for the lock of the head, in seconds. */
  readonly onHeadLocked?: (seconds: number) => void;
}

/**
 * Orders a batch, decides it and makes it durable, in one transaction of two round trips: the read set, then all writes
 * with COMMIT. An intake after the lock needs a third one.
 * @returns the verdict on each submission
 * @throws database errors; nothing is stored then
 */
export async function commitBatch(
  parts: CommitParts,
  client: ClientBase,
  intake: Intake,
  charges: Charges,
): Promise<readonly Verdict[]> {
  await parts.settled?.();
  const batch = await beginBatch(client, parts, intake);
  const verdicts = await decide(parts, batch, intake.take(), charges);
  await runAll(client, [...writesOf(batch, parts.plugIns), COMMIT]);
  parts.fence.committed(headAfter(batch.head, batch.entries));
  return verdicts;
}

const COMMIT = { text: 'COMMIT', values: [] };

/** The statements of a batch. Plug-ins write after the entities that their rows reference; erasures come last. */
function writesOf(batch: Batch, plugIns: readonly PlugIn[]) {
  const { head, entries, newNonces, vaultsToErase, at } = batch;
  const { added, updated } = batch.entities.changed();
  return [
    ...(newNonces.length > 0 ? [saveNonces(newNonces, at)] : []),
    ...(entries.length > 0 ? [insertEntries(entries), moveHead(headAfter(head, entries))] : []),
    ...addEntities(added),
    ...saveEntities(updated),
    ...plugIns.flatMap((plugIn) => plugIn.write(batch)),
    ...(vaultsToErase.length > 0 ? plugIns.flatMap((plugIn) => plugIn.erase?.(vaultsToErase, at) ?? []) : []),
  ];
}
