import type { ClientBase } from 'pg';
import { runAll } from '../../platform/db/statement.ts';
import { IntegrityFailure } from '../vault/integrity.ts';
import { createVault } from '../vault/vault.ts';
import { checkTotals, type RecordTotals, saveTotals, sealTotals } from './record-totals.ts';

/** Holders whose records matched their sealed totals before the ledger was restored, and those whose did not. */
export interface CheckedTotals {
  readonly intact: readonly string[];
  readonly altered: readonly string[];
}

const PAGE = 500;

/** Compares every holder's records with the sealed totals, in a database that a backup restored and nothing changed. */
export async function checkAllTotals(connection: ClientBase, vaultKey: Buffer): Promise<CheckedTotals> {
  const vault = createVault(vaultKey);
  const intact: string[] = [];
  const altered: string[] = [];
  for (let after = NIL; ; ) {
    const { rows } = await connection.query<{ owner_id: string }>(
      `SELECT owner_id FROM vault_keys WHERE record_totals IS NOT NULL AND owner_id > $1 ORDER BY 1 LIMIT ${PAGE}`,
      [after],
    );
    const ids = rows.map(({ owner_id }) => owner_id);
    const keys = await vault.loadKeys(connection, ids);
    for (const [ownerId, key] of keys) {
      const matches = await checkTotals(connection, key, ownerId).then(() => true, isIntegrityFailure);
      (matches ? intact : altered).push(ownerId);
    }
    const last = ids.at(-1);
    if (ids.length < PAGE || last === undefined) return { intact, altered };
    after = last;
  }
}

const NIL = '00000000-0000-0000-0000-000000000000';

function isIntegrityFailure(error: unknown): false {
  if (error instanceof IntegrityFailure) return false;
  throw error;
}

/**
 * Seals the totals of these holders again, as those of an epoch that has no records yet: the check of a read compares them
 * with the last entry of the epoch that added records.
 */
export async function sealRestoredTotals(
  connection: ClientBase,
  vaultKey: Buffer,
  ownerIds: readonly string[],
): Promise<void> {
  const vault = createVault(vaultKey);
  for (let at = 0; at < ownerIds.length; at += PAGE) {
    const ids = ownerIds.slice(at, at + PAGE);
    const keys = await vault.loadKeys(connection, ids);
    const counts = await countRows(connection, ids);
    const sealed = [...keys].map(([ownerId, key]) => {
      const totals: RecordTotals = { seq: 0, counts: counts.get(ownerId) ?? {} };
      return { ownerId, sealed: sealTotals(key, ownerId, totals) };
    });
    await runAll(connection, [saveTotals(sealed)]);
  }
}

async function countRows(connection: ClientBase, ids: readonly string[]) {
  const { rows } = await connection.query<{ owner_id: string; kind: string; count: number }>(
    `SELECT owner_id, category || ' ' || status AS kind, count(*)::int AS count FROM records
     WHERE owner_id = ANY($1::uuid[]) GROUP BY 1, 2`,
    [ids],
  );
  const counts = new Map<string, Record<string, number>>();
  for (const { owner_id, kind, count } of rows) {
    counts.set(owner_id, { ...counts.get(owner_id), [kind]: count });
  }
  return counts;
}
