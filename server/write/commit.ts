import type { ClientBase } from 'pg';
import { hasEnded } from '../../protocol/entities/ieo.ts';
import { addEntities, revocationStatements, saveEntities } from '../entities/stores.ts';
import { headAfter, insertEntries, moveHead } from '../ledger/append.ts';
import type { Fence } from '../ledger/fence.ts';
import type { Clock } from '../platform/db/clock.ts';
import { runAll } from '../platform/db/statement.ts';
import { type Batch, beginBatch, type Intake } from './batch.ts';
import { type Charges, type DecideParts, decide, type Verdict } from './decide.ts';
import { saveNonces } from './nonces.ts';
import type { PlugIn } from './plug-in.ts';

export interface CommitParts extends DecideParts {
  readonly clock: Clock;
  readonly fence: Fence;
  /** Resolves once it is known whether the database may have lost operations; at once, except after a start or a lost connection. */
  readonly settled?: () => Promise<void>;
  /** A batch is committed that ended consents without changing them. */
  readonly onConsentsEnded?: () => void;
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
  const { before, revocations, after } = writesOf(batch, parts.plugIns);
  const rows = await runAll(client, [...before, ...revocations, ...after, COMMIT]);
  parts.fence.committed(headAfter(batch.head, batch.entries));
  if (hasEndedConsents(batch)) parts.onConsentsEnded?.();
  if (revocations.length === 0) return verdicts;
  return withCounts(batch, verdicts, rows.slice(before.length, before.length + revocations.length));
}

const COMMIT = { text: 'COMMIT', values: [] };

/**
 * The statements of a batch. A revocation counts what is stored: consents revoked before it are, new ones are not. Plug-ins write
 * after the entities that their rows reference; erasures come last.
 */
function writesOf(batch: Batch, plugIns: readonly PlugIn[]) {
  const { head, entries, newNonces, vaultsToErase, at } = batch;
  const { added, updated, revocations } = batch.entities.changed();
  return {
    before: [
      ...(newNonces.length > 0 ? [saveNonces(newNonces, at)] : []),
      ...(entries.length > 0 ? [insertEntries(entries), moveHead(headAfter(head, entries))] : []),
      ...saveEntities(updated),
    ],
    revocations: revocationStatements(revocations),
    after: [
      ...addEntities(added),
      ...plugIns.flatMap((plugIn) => plugIn.write(batch)),
      ...(vaultsToErase.length > 0 ? plugIns.flatMap((plugIn) => plugIn.erase?.(vaultsToErase, at) ?? []) : []),
    ],
  };
}

function hasEndedConsents({ entities }: Batch): boolean {
  const { updated, revocations } = entities.changed();
  return revocations.length > 0 || updated.some((entity) => entity.kind === 'IEO' && hasEnded(entity));
}

/** Adds the consents of earlier batches that each revocation ended. */
function withCounts(
  { entities }: Batch,
  verdicts: readonly Verdict[],
  rows: readonly (readonly Readonly<Record<string, unknown>>[])[],
): readonly Verdict[] {
  const { revocations } = entities.changed();
  const counts = new Map(revocations.map(({ seq }, index) => [seq, Number(rows[index]?.[0]?.revoked)]));
  return verdicts.map((verdict) =>
    verdict instanceof Error
      ? verdict
      : { ...verdict, revokedCount: verdict.revokedCount + (counts.get(verdict.seq) ?? 0) },
  );
}
