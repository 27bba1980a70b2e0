import type { ClientBase } from 'pg';
import { keyIdOf, unwrapKey, wrapKey } from '../../server/features/vault/data-key.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';

export interface Rewrapped {
  /** The number of data keys. */
  readonly total: number;
  /** How many of them this run rewrapped. */
  readonly changed: number;
}

const BATCH = 1_000;
const MAX_NAMED = 5;
const NIL_ID = '00000000-0000-0000-0000-000000000000';

interface Row {
  readonly owner_id: string;
  readonly wrapped: Buffer;
}

/**
 * Wraps with `to` every data key that is wrapped with `from`. Each batch is one statement, so the run may be interrupted at any
 * time and repeated.
 * @throws {CommandError} naming keys that neither opens; their batch and all later ones are unchanged.
 */
export async function rewrapKeys(
  client: ClientBase,
  { from, to }: VaultKeys,
  onProgress: (done: number, total: number) => void,
): Promise<Rewrapped> {
  const keyId = keyIdOf(to);
  const { total, done } = await countKeys(client, keyId);
  let changed = 0;
  for (let after = NIL_ID; ; ) {
    onProgress(done + changed, total);
    const { rows } = await client.query<Row>(
      `SELECT owner_id, wrapped FROM vault_keys WHERE owner_id > $1 AND key_id IS DISTINCT FROM $2 ORDER BY owner_id LIMIT $3`,
      [after, keyId, BATCH],
    );
    const last = rows.at(-1);
    if (!last) break;
    const opened = rows.map((row) => ({ ...row, dataKey: unwrapWith(from, to, row) }));
    const unreadable = opened.filter(({ dataKey }) => dataKey === null).map(({ owner_id }) => owner_id);
    if (unreadable.length > 0) throw unreadableError(unreadable, done + changed, total);
    changed += await saveBatch(
      client,
      keyId,
      opened.flatMap(({ owner_id, wrapped, dataKey }) =>
        dataKey ? [{ owner_id, wrapped, rewrapped: wrapKey(to, owner_id, dataKey) }] : [],
      ),
    );
    after = last.owner_id;
  }
  const { total: all, done: completed } = await countKeys(client, keyId);
  if (completed < all) throw new CommandError(`${all - completed} data keys were added during the run; run it again.`);
  return { total: all, changed };
}

/**
 * The same for the keys of the service itself, which are few.
 * @throws {CommandError} if neither opens one
 */
export async function rewrapServiceKeys(client: ClientBase, { from, to }: VaultKeys): Promise<void> {
  const keyId = keyIdOf(to);
  const { rows } = await client.query<{ name: string; wrapped: Buffer }>(
    'SELECT name, wrapped FROM service_keys WHERE key_id <> $1',
    [keyId],
  );
  for (const { name, wrapped } of rows) {
    const key = unwrapWith(from, to, { owner_id: name, wrapped });
    if (!key) throw unreadableError([name], 0, rows.length);
    await client.query('UPDATE service_keys SET wrapped = $2, key_id = $3 WHERE name = $1', [
      name,
      wrapKey(to, name, key),
      keyId,
    ]);
  }
}

interface VaultKeys {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

async function countKeys(client: ClientBase, keyId: string): Promise<{ total: number; done: number }> {
  const { rows } = await client.query<{ total: number; done: number }>(
    'SELECT count(*) AS total, count(*) FILTER (WHERE key_id = $1) AS done FROM vault_keys',
    [keyId],
  );
  return rows[0] ?? { total: 0, done: 0 };
}

/** The plain data key, or null if neither key opens it. */
function unwrapWith(from: Uint8Array, to: Uint8Array, { owner_id, wrapped }: Row): Buffer | null {
  for (const key of [from, to]) {
    try {
      return unwrapKey(key, owner_id, wrapped);
    } catch {}
  }
  return null;
}

function unreadableError(ownerIds: readonly string[], done: number, total: number): CommandError {
  const named = ownerIds.slice(0, MAX_NAMED).join(', ');
  const more = ownerIds.length > MAX_NAMED ? ` and at least ${ownerIds.length - MAX_NAMED} more` : '';
  return new CommandError(
    `Neither the old vault key nor the new one opens the data key of ${named}${more}. ` +
      (done === 0
        ? 'Nothing was changed.'
        : `${done} of ${total} are wrapped with the new key; nothing further was changed.`),
  );
}

async function saveBatch(
  client: ClientBase,
  keyId: string,
  rows: readonly (Row & { readonly rewrapped: Buffer })[],
): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE vault_keys SET wrapped = b.rewrapped, key_id = $4
     FROM unnest($1::uuid[], $2::bytea[], $3::bytea[]) AS b (owner_id, wrapped, rewrapped)
     WHERE vault_keys.owner_id = b.owner_id AND vault_keys.wrapped = b.wrapped`,
    [
      rows.map(({ owner_id }) => owner_id),
      rows.map(({ wrapped }) => wrapped),
      rows.map(({ rewrapped }) => rewrapped),
      keyId,
    ],
  );
  return rowCount ?? 0;
}
