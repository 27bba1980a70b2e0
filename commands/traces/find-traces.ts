import type pg from 'pg';
import type { CommandParts } from '../../auditor/audit/verify.ts';
import { type Config, readConfig } from '../../server/config.ts';
import { existingRelayerKey, openDatabase, runningService } from '../../server/platform/command-line/operator.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import { clientsOf } from '../../server/platform/db/follow-primary.ts';
import { isConnectionLoss } from '../../server/platform/db/pool.ts';

export interface RowCount {
  readonly name: string;
  readonly count: number;
}

/** The number of rows that a database stores about a BEO, by kind. Protocol §7. */
export interface Traces {
  /** Null if the BEO has no row. */
  readonly status: string | null;
  /** Erased by destruction. */
  readonly erasable: readonly RowCount[];
  /** Public data that expires within a day. */
  readonly temporary: readonly RowCount[];
  /** Kept forever. */
  readonly permanent: readonly RowCount[];
}

type Db = Pick<pg.ClientBase, 'query'>;

const of = (table: string, column = 'owner_id', what = 'count(*)') =>
  `SELECT ${what} AS count FROM ${table} WHERE ${column} = $1`;

/** A statement per kind; $1 is the id of the BEO. */
const ERASABLE: Readonly<Record<string, string>> = {
  'name (its domain)': of('names', 'holder_id'),
  'domain in its public state': of('beos', 'id', 'count(domain)'),
  'public key in its public state': of('beos', 'id', 'count(public_key)'),
  'guardians in its public state': of('beos', 'id', "coalesce(sum(jsonb_array_length(recovery -> 'guardians')), 0)"),
  'requests for recovery in its public state': of(
    'beos',
    'id',
    "coalesce(sum(jsonb_array_length(recovery -> 'requests')), 0)",
  ),
  'data key': of('vault_keys'),
  'health records': of('records'),
  'counts of health records': of('record_counts'),
  'access events': of('access_events'),
  shares: of('shares'),
  'files of shares': 'SELECT count(*) AS count FROM share_files JOIN shares USING (hash) WHERE owner_id = $1',
  'openings of shares': 'SELECT count(*) AS count FROM share_openings JOIN shares USING (hash) WHERE owner_id = $1',
  'counts of stored bytes': of('stored_bytes'),
  'scheduled deletions': of('vault_lapses'),
  'invitations of guardians': of('invitations', 'beo_id'),
  'requests for recovery': of('recovery_requests', 'beo_id'),
  'links of requests for recovery':
    'SELECT count(*) AS count FROM recovery_links JOIN recovery_requests ON recovery_requests.id = request_id WHERE beo_id = $1',
  'times of mailings to guardians': of('recovery_mailings', 'beo_id'),
  'mails to guardians': of('mails'),
  'settings of alerts': of('alert_settings'),
  'addresses for alerts': of('alert_addresses'),
  'mails to these addresses': of('alert_mails'),
};

const VAULT_ROWS = `SELECT split_part(id, ':', 1) AS kind, count(*) AS count FROM vault_rows WHERE owner_id = $1 GROUP BY 1 ORDER BY 1`;

/** Labels, so that a destroyed BEO shows a zero for each kind. Kinds without a label are shown too. */
const VAULT_KINDS: Readonly<Record<string, string>> = {
  alert: 'addresses for alerts (address and link)',
  asked: 'references of institutions that asked for a consent',
  attested: 'days on which guardians checked their keys',
  guardian: 'guardians (name and contact)',
  invitation: 'invitations (link)',
  recovery: 'requests for recovery (link)',
  sealed: 'sealed operations (salt, signature and message)',
};

const OWN_ENTRIES = `SELECT id, seq FROM ledger_entries
  WHERE entity_id = $1::text OR entity_id IN (SELECT id FROM tokens WHERE beo_id = $1::uuid)`;

const TEMPORARY: Readonly<Record<string, string>> = {
  'released domain, deleted within half an hour': `SELECT count(*) AS count FROM names
     WHERE holder_id IS NULL AND transaction_id IN (SELECT id FROM ledger_entries WHERE entity_id = $1::text)`,
  "today's count of its operations beyond the budget": of('reserve_uses', 'entity_id'),
  'revocations of consents, not written into them yet': of('revocations', 'beo_id'),
  'nonces of its operations (hashes)': `SELECT count(*) AS count FROM nonces WHERE transaction_id IN (SELECT id FROM (${OWN_ENTRIES}) AS own)`,
};

const PERMANENT: Readonly<Record<string, string>> = {
  'identity: id, state and times': of('beos', 'id'),
  'consents, ended with it': of('tokens', 'beo_id'),
  'counts of its consents by grantee and purpose': of('live_consents', 'beo_id'),
  'until when its expired consents are counted': of('swept_consents', 'beo_id'),
  'submissions of records about it': `SELECT count(*) AS count FROM submissions
     WHERE token_id IN (SELECT id FROM tokens WHERE beo_id = $1)`,
  'ledger entries': `SELECT count(*) AS count FROM (${OWN_ENTRIES}) AS own`,
  'of these on the network': `SELECT count(*) AS count FROM (${OWN_ENTRIES}) AS own
     WHERE EXISTS (SELECT FROM bundles WHERE own.seq BETWEEN first_seq AND last_seq AND status <> 'PREPARED')`,
};

/** Reads one snapshot. @param client a connection without an open transaction. */
export async function findTraces(client: Db, beoId: string): Promise<Traces> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  try {
    const { rows } = await client.query<{ status: string }>('SELECT status FROM beos WHERE id = $1', [beoId]);
    const { rows: kinds } = await client.query<{ kind: string; count: string }>(VAULT_ROWS, [beoId]);
    const rowsOf = new Map(kinds.map(({ kind, count }) => [kind, Number(count)]));
    const shown = [...new Set([...Object.keys(VAULT_KINDS), ...rowsOf.keys()])];
    const inVault = shown.map((kind) => ({
      name: `in the vault: ${VAULT_KINDS[kind] ?? kind}`,
      count: rowsOf.get(kind) ?? 0,
    }));
    return {
      status: rows[0]?.status ?? null,
      erasable: [...(await count(client, ERASABLE, beoId)), ...inVault],
      temporary: await count(client, TEMPORARY, beoId),
      permanent: await count(client, PERMANENT, beoId),
    };
  } finally {
    await client.query('ROLLBACK');
  }
}

async function count(client: Db, places: Readonly<Record<string, string>>, beoId: string): Promise<RowCount[]> {
  const counted: RowCount[] = [];
  for (const [name, statement] of Object.entries(places)) {
    const { rows } = await client.query<{ count: string }>(statement, [beoId]);
    counted.push({ name, count: Number(rows[0]?.count) });
  }
  return counted;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @throws {CommandError} if it is an institution, or no BEO holds the domain. */
async function beoIdOf(client: Db, named: string): Promise<string> {
  if (UUID.test(named)) {
    const { rowCount } = await client.query('SELECT FROM ieos WHERE id = $1', [named]);
    if (rowCount) throw new CommandError('That is the id of an institution, not of a BEO.');
    return named.toLowerCase();
  }
  const { rows } = await client.query<{ holder_kind: string | null; holder_id: string }>(
    'SELECT holder_kind, holder_id FROM names WHERE id = $1',
    [named.toLowerCase()],
  );
  const [name] = rows;
  if (name?.holder_kind === 'BEO') return name.holder_id;
  if (name?.holder_kind === 'IEO') throw new CommandError('That is the domain of an institution, not of a BEO.');
  throw new CommandError('No BEO holds that domain. After destruction, give the id.');
}

/** SQLSTATE of a missing table or column. */
const OTHER_SCHEMA = new Set(['42P01', '42703']);

/**
 * `npm run traces`. @returns true if the BEO is not destroyed, or no erasable data are left.
 * @throws {CommandError | ConfigError} if this could not be decided.
 */
export async function traces(named: string, parts: CommandParts): Promise<boolean> {
  const config = readConfig(parts.env);
  // A wrong DATA_DIR must not start a new embedded database.
  existingRelayerKey(config);
  const { Client, connectionString } = clientsOf(await openDatabase(config, await runningService(config), parts));
  const client = new Client({ connectionString });
  client.on('error', () => undefined);
  parts.addStep('the database connection', () => client.end());
  try {
    await client.connect();
    const beoId = await beoIdOf(client, named);
    const found = await findTraces(client, beoId);
    const left = found.erasable.reduce((sum, { count }) => sum + count, 0);
    if (found.status === null && left === 0)
      throw new CommandError(`There is no BEO with the id ${beoId}, and no data about one.`);
    for (const line of linesOf(beoId, found, left)) parts.print(line);
    parts.print(backupLine(config));
    return left === 0 || (found.status !== null && found.status !== 'DESTROYED');
  } catch (error) {
    if (isConnectionLoss(error)) throw new CommandError('The database does not respond; see DATABASE_URL.');
    if (!OTHER_SCHEMA.has(String((error as { code?: unknown }).code))) throw error;
    throw new CommandError(
      'The database has the tables of an earlier version: start the service once, then run this again.',
    );
  }
}

/** How long backups keep what was erased. */
function backupLine({ DATABASE_URL, BACKUP_DIR, BACKUP_KEEP }: Config): string {
  const others = 'Other backups and the write-ahead log are not included: see docs/privacy.md.';
  if (DATABASE_URL !== undefined)
    return 'Backups and standbys of the server in DATABASE_URL are not known here: they keep erased data for as long as their own retention lasts. See docs/privacy.md.';
  if (BACKUP_DIR === undefined)
    return `No backups are configured (BACKUP_DIR). ${others.replace('Other backups', 'Backups made otherwise')}`;
  const hours = Math.ceil(BACKUP_KEEP / 3_600_000);
  return `Backups in ${BACKUP_DIR} keep erased data for at most ${hours} hours after the erasure (BACKUP_KEEP), while backups succeed. ${others}`;
}

function linesOf(beoId: string, { status, erasable, temporary, permanent }: Traces, left: number): string[] {
  const widest = Math.max(...[...erasable, ...temporary, ...permanent].map(({ name }) => name.length));
  const table = (places: readonly RowCount[]) =>
    places.map(({ name, count }) => `  ${name.padEnd(widest)} ${String(count).padStart(9)}`);
  const isDestroyed = status === null || status === 'DESTROYED';
  return [
    `BEO ${beoId}: ${status ?? 'no row'}`,
    '',
    isDestroyed ? 'Erased by destruction:' : 'Erased when the holder destroys the BEO:',
    ...table(erasable),
    '',
    'Public and temporary:',
    ...table(temporary),
    '',
    'Public and permanent; destruction does not change the network:',
    ...table(permanent),
    '',
    !isDestroyed
      ? `Not destroyed: ${left} erasable.`
      : left > 0
        ? `LEFT after destruction: ${left} erasable.`
        : 'No erasable data are left.',
  ];
}
