import type { ClientBase } from 'pg';
import type { Beo } from '../../protocol/entities/beo.ts';
import { STORES } from './stores.ts';

/** Reads an identity and locks its row until the end of the transaction; null if it was destroyed meanwhile. */
export async function lockBeoRow(client: ClientBase, beoId: string): Promise<Beo | null> {
  const { table, columns, fromRow } = STORES.BEO;
  const { rows } = await client.query({
    name: 'hold-beo',
    text: `SELECT id, ${columns.join(', ')} FROM ${table} WHERE id = $1 FOR SHARE`,
    values: [beoId],
  });
  const beo = rows.map(fromRow)[0];
  return beo && beo.status !== 'DESTROYED' ? beo : null;
}
