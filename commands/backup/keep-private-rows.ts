import type { ClientBase } from 'pg';
import type { Audit } from '../../auditor/audit/audit.ts';
import type { ChainEnd } from '../../auditor/audit/chain-order.ts';
import type { CheckedEntry } from '../../auditor/audit/checked.ts';
import type { Erasure } from '../../auditor/audit/replay.ts';
import { currentKey } from '../../protocol/ledger/relayer-keys.ts';
import { ConfigError } from '../../server/config.ts';
import { KINDS, STORES } from '../../server/entities/stores.ts';
import { keepDestroyedLinks } from '../../server/features/guardians/lost-link.ts';
import {
  type CheckedTotals,
  checkAllTotals,
  sealRestoredTotals,
} from '../../server/features/records/restored-totals.ts';
import { END_ALL_SHARES } from '../../server/features/shares/share-rows.ts';
import { vaultKeyFits } from '../../server/features/vault/vault.ts';
import { deleteVaultKeys, deleteVaultRows, saveRowExpiries } from '../../server/features/vault/vault-rows.ts';
import type { ChainedEntry } from '../../server/ledger/chain.ts';
import { type Head, readHead } from '../../server/ledger/head.ts';
import { BackupError } from '../../server/platform/db/backup/sealed-file.ts';
import { runAll } from '../../server/platform/db/statement.ts';
import type { Backup } from '../restore/rebuild-database.ts';

/** Derived from the ledger, so that the restore writes them anew. Requests signed before it are rejected without nonces. */
/** The revocations that the tokens do not show yet, and the counts of live tokens. */
const CONSENT_TABLES = ['revocations', 'live_consents', 'swept_consents', 'ended_grantees'];
const PUBLIC_TABLES = [
  'ledger_entries',
  'submissions',
  'bundles',
  ...KINDS.map((kind) => STORES[kind].table),
  'ieo_counts',
  ...CONSENT_TABLES,
  'nonces',
];

/**
 * Links of an earlier epoch do not work, and their invitations and requests end with it (protocol §10). Queued alerts were sent since
 * the backup.
 */
const LINK_TABLES = ['invitations', 'recovery_links', 'recovery_requests', 'mails', 'alert_mails'];
const LINK_ROWS = "split_part(id, ':', 1) IN ('invitation', 'recovery')";

const LIVE = `(SELECT id FROM beos WHERE status <> 'DESTROYED' UNION ALL
  SELECT id FROM ieos WHERE status NOT IN ('REVOKED', 'DESTROYED'))`;

/**
 * Keeps the private rows of a database that lags behind the network, such as a restored backup or a promoted standby, while the
 * public state is rebuilt from the network: what the network's ledger erased since is erased here too.
 * @param newWebhookKey whether a service with another key for webhooks may start on it; newCheckpointKey likewise
 */
export function keepPrivateRows(
  vaultKey: Buffer,
  {
    newWebhookKey = false,
    newCheckpointKey = false,
  }: { readonly newWebhookKey?: boolean; readonly newCheckpointKey?: boolean } = {},
): Backup {
  let head: Head | null = null;
  let totals: CheckedTotals = { intact: [], altered: [] };
  let hasUnknownOptOuts = false;
  let counts = { lost: 0, uncorrected: 0, abandoned: 0, addresses: 0 };
  const erased = new Set<string>();
  const rowsToDelete: string[] = [];
  const expiries: { rowId: string; ownerId: string; at: string }[] = [];

  const isNew = ({ seq, epoch }: Pick<CheckedEntry, 'seq' | 'epoch'>): boolean =>
    head === null || seq > head.seq || epoch > head.epoch;

  return {
    async begin(connection) {
      head = await backupHead(connection);
      if (!(await vaultKeyFits(connection, vaultKey))) {
        throw new ConfigError(
          'VAULT_KEY does not open the vault in this database; nothing was changed. A backup from before a rotation needs the key of that time.',
        );
      }
      totals = await checkAllTotals(connection, vaultKey);
      await connection.query('CREATE TEMP TABLE backup_entries ON COMMIT DROP AS SELECT seq, id FROM ledger_entries');
      await connection.query('ALTER TABLE backup_entries ADD PRIMARY KEY (seq)');
      await connection.query(
        `CREATE TEMP TABLE backup_tail ON COMMIT DROP AS SELECT * FROM ledger_entries
         WHERE seq > coalesce((SELECT max(last_seq) FROM bundles WHERE status = 'FINAL'), 0)`,
      );
      await connection.query(`TRUNCATE ${PUBLIC_TABLES.join(', ')}`);
    },

    async entriesAfter(connection, end: ChainEnd | null): Promise<readonly ChainedEntry[]> {
      const { rows: same } = await connection.query('SELECT FROM backup_entries WHERE seq = $1 AND id = $2', [
        end?.seq ?? 0,
        end?.id ?? '',
      ]);
      if (end && same.length === 0) return [];
      const { rows } = await connection.query<ChainedEntry>(
        `SELECT seq, epoch, id, function, entity_id AS "entityId", accepted_at AS "acceptedAt", item
         FROM backup_tail WHERE seq > $1 ORDER BY seq`,
        [end?.seq ?? 0],
      );
      return rows;
    },

    onErasure(entry: CheckedEntry, erasure: Erasure) {
      if (!isNew(entry)) return;
      for (const id of erasure.vaultsToErase) erased.add(id);
      rowsToDelete.push(...erasure.rowsToDelete);
      expiries.push(...erasure.rowsToExpire.map((expiry) => ({ ...expiry, ownerId: entry.entityId })));
    },

    async end(connection, audit: Audit) {
      requireSameLedger(head, audit);
      hasUnknownOptOuts = await lostAddressHashes(connection, head, audit);
      const at = audit.end?.acceptedAt ?? new Date().toISOString();
      await runAll(connection, [
        keepDestroyedLinks([...erased], at),
        deleteVaultKeys([...erased]),
        deleteVaultRows(rowsToDelete),
        saveRowExpiries(expiries),
      ]);
      counts = await removeUnknown(connection, head);
      if (newWebhookKey) await connection.query('DELETE FROM webhook_keys');
      if (newCheckpointKey) await connection.query("DELETE FROM agreed_settings WHERE name = 'checkpoint_key'");
      const kept = await stillStored(connection, totals.intact);
      await sealRestoredTotals(connection, vaultKey, kept);
    },

    lines: () => [
      `The database ended with entry ${head?.seq ?? 0} of epoch ${head?.epoch ?? 0}. Its private rows were kept.`,
      `Identities and institutions erased because the network's ledger ended them later: ${erased.size}.`,
      `Later submissions of health records, whose content is lost: ${counts.lost}. Submit them again.`,
      `Holders whose health records match their sealed totals: ${totals.intact.length}.`,
      ...(totals.altered.length > 0
        ? [`Holders whose health records do not match and stay unreadable: ${totals.altered.join(', ')}.`]
        : []),
      ...(hasUnknownOptOuts
        ? [
            'The backup is older than the commitment to the next relayer key: unsubscriptions from mails in it have no effect.',
          ]
        : []),
      ...(counts.addresses > 0
        ? [
            `Addresses for alerts, which are as the backup has them: ${counts.addresses}. One that was removed later gets alerts again.`,
          ]
        : []),
      ...(counts.abandoned > 0
        ? [`Health records of entries that an earlier restore left out, which were deleted: ${counts.abandoned}.`]
        : []),
      ...(counts.uncorrected > 0
        ? [`Health records that stay marked as corrected, by corrections that were left out: ${counts.uncorrected}.`]
        : []),
    ],
  };
}

async function backupHead(connection: ClientBase): Promise<Head> {
  const { rowCount } = await connection.query('SELECT FROM ledger_head');
  if (!rowCount) throw new BackupError('The database has no ledger: no service has started on it.');
  return readHead(connection);
}

/** The backup may be from before a change of the relayer's key. @throws {ConfigError} */
function requireSameLedger(head: Head | null, { relayerKeys }: Audit): void {
  const isKnown = relayerKeys.keys.some(({ publicKey }) => publicKey === head?.relayerPublicKey);
  if (isKnown && relayerKeys.ledgerId === head?.ledgerId) return;
  throw new ConfigError('The database is of another ledger than the one on the network; nothing was changed.');
}

/** Whether unsubscriptions in the backup depend on a key that was replaced before the backup could keep its part: see mail. */
async function lostAddressHashes(connection: ClientBase, head: Head | null, { relayerKeys }: Audit): Promise<boolean> {
  if (head?.relayerPublicKey === currentKey(relayerKeys)) return false;
  const { rowCount } = await connection.query(
    "SELECT FROM mail_opt_outs WHERE NOT EXISTS (SELECT FROM service_keys WHERE name = 'address hashes') LIMIT 1",
  );
  return rowCount === 1;
}

/** Deletes private rows of entities that are not live, and of entries that are not in the ledger. */
async function removeUnknown(connection: ClientBase, head: Head | null) {
  const count = async (text: string, values: unknown[] = []) => (await connection.query(text, values)).rowCount ?? 0;
  await connection.query(`DELETE FROM vault_keys WHERE owner_id NOT IN ${LIVE}`);
  await connection.query(`DELETE FROM recovery_mailings WHERE beo_id NOT IN ${LIVE}`);
  // Those that a later entry answered can be asked again.
  await connection.query(`DELETE FROM certification_requests WHERE ieo_id NOT IN ${LIVE} OR EXISTS (SELECT FROM ledger_entries
    WHERE entity_id = ieo_id::text AND function = 'updateCertification' AND accepted_at > requested_at)`);
  await connection.query(`DELETE FROM consent_requests WHERE ieo_id NOT IN ${LIVE}`);
  for (const text of END_ALL_SHARES) await connection.query(text);
  await connection.query(`DELETE FROM vault_rows WHERE ${LINK_ROWS}`);
  await connection.query(`TRUNCATE ${LINK_TABLES.join(', ')}`);
  // The search for alerts must not wait for entries that are not in the ledger.
  await connection.query(
    'UPDATE alert_search SET seq = least(seq, (SELECT coalesce(max(seq), 0) FROM ledger_entries))',
  );
  const addresses = await count('SELECT FROM alert_addresses');
  const abandoned = await count(
    'DELETE FROM records WHERE NOT EXISTS (SELECT FROM ledger_entries e WHERE e.id = records.transaction_id)',
  );
  const uncorrected = await count(
    `SELECT FROM records r JOIN backup_entries b ON b.seq = r.superseded_seq
     WHERE NOT EXISTS (SELECT FROM ledger_entries e WHERE e.id = b.id)`,
  );
  const lost = await count(
    `SELECT FROM ledger_entries e WHERE e.function = 'submitRecords' AND (e.seq > $1 OR e.epoch > $2)
     AND NOT EXISTS (SELECT FROM backup_entries b WHERE b.id = e.id)`,
    [head?.seq ?? 0, head?.epoch ?? 0],
  );
  // Delivery would continue after entries that are not in the ledger.
  const diverged = await count(
    'SELECT FROM backup_entries b WHERE NOT EXISTS (SELECT FROM ledger_entries e WHERE e.id = b.id) LIMIT 1',
  );
  if (diverged > 0) for (const table of ['webhooks', 'webhook_search']) await connection.query(`DELETE FROM ${table}`);
  return { lost, uncorrected, abandoned, addresses };
}

async function stillStored(connection: ClientBase, ids: readonly string[]): Promise<string[]> {
  const { rows } = await connection.query<{ owner_id: string }>(
    'SELECT owner_id FROM vault_keys WHERE owner_id = ANY($1::uuid[])',
    [ids],
  );
  return rows.map(({ owner_id }) => owner_id);
}
