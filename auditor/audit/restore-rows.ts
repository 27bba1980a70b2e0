import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { KINDS, STORES } from '../../server/entities/stores.ts';
import { forgetAgreedSettings } from '../../server/ledger/agreed-settings.ts';
import { insertEntries } from '../../server/ledger/append.ts';
import { FINAL_CONFIRMATIONS } from '../../server/ledger/confirm.ts';
import type { Head } from '../../server/ledger/head.ts';
import type { ArweaveClient } from '../../server/network/arweave-client.ts';
import { runAll } from '../../server/platform/db/statement.ts';
import type { CheckedEntry, Placed } from './checked.ts';
import type { FetchedBundle } from './read-bundles.ts';

type Db = Pick<ClientBase, 'query'>;

const TABLES = [
  'ledger_entries',
  'bundles',
  ...KINDS.map((kind) => STORES[kind].table),
  'nonces',
  'records',
  'record_counts',
  'access_events',
  'stored_bytes',
  'vault_keys',
  'invitations',
  'recovery_requests',
  'recovery_links',
  'recovery_mailings',
  'mails',
];

/** The first table with rows, or null. A restore needs an empty database. */
export async function firstTableInUse(db: Db): Promise<string | null> {
  for (const table of TABLES) {
    const { rows } = await db.query<{ used: boolean }>(`SELECT EXISTS (SELECT FROM ${table}) AS used`);
    if (rows[0]?.used) return table;
  }
  return null;
}

/** Whether the role may TRUNCATE, which a role with rights on rows only may not. */
export async function mayEmptyTables(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ may: boolean }>("SELECT has_table_privilege('ledger_entries', 'TRUNCATE') AS may");
  return rows[0]?.may === true;
}

/** Blocks every service on this database until the end of the transaction. */
export async function lockLedger(db: Db): Promise<void> {
  await db.query('LOCK TABLE ledger_head IN EXCLUSIVE MODE');
  await db.query('DELETE FROM ledger_head');
}

/** Forgets the settings of a service that was started on an empty database. */
export async function forgetService(db: Db): Promise<void> {
  await forgetAgreedSettings(db);
  // The VAULT_KEY of an empty vault: see claimVault.
  await db.query("DELETE FROM service_keys WHERE name = 'vault'");
}

/** Writes the head of the restored ledger. @param abandoned transactions that are posted but not mined, and were left out */
export async function insertHead(db: Db, head: Head, abandoned: readonly string[]): Promise<void> {
  await db.query(
    `INSERT INTO ledger_head (ledger_id, relayer_public_key, epoch, epoch_began_at, seq, id, accepted_at, budget_day, budget_bytes, abandoned_tx)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      head.ledgerId,
      head.relayerPublicKey,
      head.epoch,
      head.epochBeganAt,
      head.seq,
      head.id,
      head.acceptedAt,
      head.budgetDay,
      head.budgetBytes,
      abandoned,
    ],
  );
}

export const insertPlaced = (client: ClientBase, placed: readonly Placed[]): Promise<unknown> =>
  runAll(client, [insertEntries(placed.map(({ entry, item }) => ({ ...placeOf(entry), item })))]);

const placeOf = ({ id, epoch, seq, functionName, entityId, acceptedAt }: CheckedEntry) => ({
  id,
  epoch,
  seq,
  function: functionName,
  entityId,
  acceptedAt,
});

/**
 * Inserts the row of a bundle as the confirm loop leaves it. A bundle that is not final can be lost in a reorganisation: its
 * transaction is fetched, so that the same bytes can be posted again.
 * @param height the current height of the network.
 */
export async function insertRestoredBundle(
  db: Db,
  client: Pick<ArweaveClient, 'transaction'>,
  { bundle, bytes }: FetchedBundle,
  placed: readonly Placed[],
  height: number,
): Promise<void> {
  const confirmations = Math.max(1, height - bundle.height + 1);
  const final = confirmations >= FINAL_CONFIRMATIONS;
  const transaction = final ? null : await client.transaction(bundle.id);
  const minedAt = new Date(bundle.minedAt);
  await db.query(
    `INSERT INTO bundles (first_seq, last_seq, bytes, l1_tx, transaction, data_sha256, reward_winston, anchor_height,
       status, block_height, confirmations, prepared_at, posted_at, checked_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $8, $10, $11, $11, now())`,
    [
      placed[0]?.entry.seq,
      placed.at(-1)?.entry.seq,
      bytes.byteLength,
      bundle.id,
      JSON.stringify(transaction ?? { id: bundle.id }),
      sha256(bytes),
      transaction?.reward ?? '0',
      bundle.height,
      final ? 'FINAL' : 'CONFIRMED',
      confirmations,
      minedAt,
    ],
  );
}

/** Records the digests of domains that are never given again. */
export async function retireNames(db: Db, domains: readonly string[]): Promise<void> {
  await db.query(
    `INSERT INTO retired_names (digest) SELECT sha256(convert_to(domain, 'UTF8')) FROM unnest($1::text[]) AS released (domain)
     ON CONFLICT DO NOTHING`,
    [domains],
  );
}

/** Records a second transaction for a bundle whose entries are all stored. */
export async function noteSuperseded(db: Db, { bundle, bytes }: FetchedBundle): Promise<void> {
  await db.query(
    'UPDATE bundles SET superseded_tx = superseded_tx || $1::text WHERE data_sha256 = $2 AND l1_tx <> $1::text',
    [bundle.id, sha256(bytes)],
  );
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
