import type { ClientBase } from 'pg';
import { runAsOne, type Statement } from '../db/statement.ts';
import { together } from '../db/together.ts';
import { addEntities, saveEntities } from '../entities/stores.ts';
import { insertEntries, moveHead } from '../ledger/append.ts';
import type { Head } from '../ledger/head.ts';
import { saveMails } from '../mail/mail.ts';
import { saveAccessEvents } from '../records/access-events.ts';
import { saveRecords, supersedeRecords } from '../records/new-records.ts';
import { saveTotals, sealAllTotals } from '../records/record-totals.ts';
import { saveStored } from '../vault/stored-bytes.ts';
import {
  erase,
  forgetRows,
  saveInvitations,
  saveLapses,
  saveNonces,
  saveVaultKeys,
  saveVaultRows,
} from './batch-rows.ts';
import { beginBehindLock, type PendingRevocation, type Work } from './work.ts';

/** One round trip; COMMIT behind a statement that failed would be a ROLLBACK, so every answer is looked at. */
export async function write(client: ClientBase, work: Work, left: Head, isBegun: boolean): Promise<void> {
  const { revocations, forgets, erases } = work;
  const rows = rowsOf(work, left);
  const isOneStatement = revocations.length + forgets.length + erases.length === 0;
  const results = await together(client, (): Promise<PromiseSettledResult<unknown>[]> => {
    // One statement is one transaction by itself.
    if (!isBegun && isOneStatement) return Promise.allSettled([runAsOne(client, rows)]);
    return Promise.allSettled([
      isBegun ? null : beginBehindLock(client),
      ...revocations.map(({ others }) => revoke(client, others)),
      runAsOne(client, rows),
      forgets.length > 0 ? forgetRows(client, forgets) : null,
      // What an operation of this batch has written goes with the rest.
      erases.length > 0 ? erase(client, erases, work.at) : null,
      client.query('COMMIT'),
    ]);
  });
  const failed = results.find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

/** The rows of a batch. The head comes last because PostgreSQL runs that first: who waits for the head then holds nothing yet. */
function rowsOf(work: Work, left: Head): Statement[] {
  const { newNonces, entries, sealed, invited, mails, records, superseded, accesses, lapses, at } = work;
  const totals = sealAllTotals(work.totals, work.vaultKeys);
  const keys = sealed
    .flatMap(({ newKey }) => newKey ?? [])
    .map((key) => ({ ...key, totals: totals.find(({ ownerId }) => ownerId === key.ownerId)?.sealed ?? null }));
  const changed = totals.filter(({ ownerId }) => !keys.some((key) => key.ownerId === ownerId));
  const rows = sealed.flatMap(({ rows }) => rows);
  const { added, updated } = work.entities.changed();
  return [
    ...(newNonces.length > 0 ? [saveNonces(newNonces, at)] : []),
    ...(entries.length > 0 ? [insertEntries(entries)] : []),
    ...addEntities(added),
    ...saveEntities(updated),
    ...(keys.length > 0 ? [saveVaultKeys(keys)] : []),
    ...(changed.length > 0 ? [saveTotals(changed)] : []),
    ...(rows.length > 0 ? [saveVaultRows(rows)] : []),
    ...(invited.length > 0 ? [saveInvitations(invited)] : []),
    ...(mails.length > 0 ? [saveMails(mails)] : []),
    ...(lapses.length > 0 ? [saveLapses(lapses)] : []),
    ...(records.length > 0 ? [saveRecords(records, at)] : []),
    ...(work.storing.length > 0 ? [saveStored(work.storing)] : []),
    ...(superseded.length > 0 ? [supersedeRecords(superseded)] : []),
    ...(accesses.length > 0 ? [saveAccessEvents(accesses, at)] : []),
    // Also where it stays: a refusal, too, must be of a state that there was.
    ...(newNonces.length + entries.length > 0 ? [moveHead(work.head, left)] : []),
  ];
}

async function revoke(client: ClientBase, others: PendingRevocation['others']): Promise<void> {
  const { rowCount } = await client.query({ ...others.statement, values: [...others.statement.values] });
  others.count = rowCount ?? 0;
}
