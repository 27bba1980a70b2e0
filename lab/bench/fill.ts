import pg from 'pg';
import { startEmbeddedPostgres } from '../../server/platform/db/postgres/embedded-postgres.ts';
import { domainOf } from './load/workloads.ts';

/** Some of the identities and of their entries, for reads of them. */
export interface Filled {
  readonly beoIds: readonly string[];
  readonly transactionIds: readonly string[];
}

const SAMPLE = 5_000;
/** About what a bundle of 256 KiB holds. */
const PER_BUNDLE = 270;
const BATCH = 50_000;

/**
 * Adds identities until there are `population`, directly into the embedded database of a stopped server that has created
 * one: rows like those of that identity, its entry and its bundle, with other ids. Their items are copies, so the ledger
 * can be read and extended but not verified.
 */
export const fillIdentities = (dataDir: string, population: number, log: (line: string) => void): Promise<Filled> =>
  fill(dataDir, 'beos', population, log, addIdentities);

/** The same without the identities: only entries and bundles, for what reads nothing else. */
export const fillEntries = (dataDir: string, population: number, log: (line: string) => void): Promise<Filled> =>
  fill(dataDir, 'ledger_entries', population, log, addEntries);

async function fill(
  dataDir: string,
  table: 'beos' | 'ledger_entries',
  population: number,
  log: (line: string) => void,
  add: (client: pg.Client, from: number, count: number) => Promise<void>,
): Promise<Filled> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const client = new pg.Client({ connectionString: postgres.url });
  try {
    await client.connect();
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
    for (let from = Number(rows[0]?.count); from < population; from += BATCH) {
      await client.query('BEGIN');
      await add(client, from, Math.min(BATCH, population - from));
      await client.query('COMMIT');
      log(`filled ${Math.min(from + BATCH, population)} of ${population} rows of ${table}`);
    }
    await client.query('VACUUM ANALYZE');
    return await sample(client);
  } finally {
    await client.end();
    await postgres.stop();
  }
}

/** The columns that differ from those of the template; `i` numbers the identities, `s` is the place on the ledger. */
const ENTITY = `md5('identity ' || i)::uuid`;
const ENTRY_ID = `translate(left(encode(sha256(i::text::bytea), 'base64'), 43), '+/', '-_')`;

const numbersOf = (from: number, count: number) =>
  `generate_series(${from}, ${from + count - 1}) AS i, LATERAL (SELECT h.seq + 1 + i - ${from} AS s FROM ledger_head h)`;

async function addIdentities(client: pg.Client, from: number, count: number): Promise<void> {
  const [before = '', after = ''] = domainOf(0).split('0');
  const domain = `'${before}' || i || '${after}'`;
  const numbers = numbersOf(from, count);
  await client.query(
    clone('beos', numbers, {
      id: ENTITY,
      domain,
      public_key: `md5(i::text) || md5((-i)::text)`,
      transaction_id: ENTRY_ID,
      seq: 's',
    }),
  );
  await client.query(clone('names', numbers, { id: domain, holder_id: ENTITY, transaction_id: ENTRY_ID, seq: 's' }));
  await addEntries(client, from, count);
}

async function addEntries(client: pg.Client, from: number, count: number): Promise<void> {
  await client.query(clone('ledger_entries', numbersOf(from, count), { seq: 's', id: ENTRY_ID, entity_id: ENTITY }));
  const bundles = `generate_series(0, ${count - 1}, ${PER_BUNDLE}) AS b, LATERAL (SELECT h.seq + 1 + b AS s, ${from} + b AS i FROM ledger_head h)`;
  await client.query(
    clone('bundles', bundles, {
      first_seq: 's',
      last_seq: `s - b + least(b + ${PER_BUNDLE}, ${count}) - 1`,
      l1_tx: `reverse(${ENTRY_ID})`,
      status: `'FINAL'`,
      prepared_at: `now() - interval '2 days'`,
    }),
  );
  await client.query(
    `UPDATE ledger_head SET seq = e.seq, id = e.id FROM (SELECT seq, id FROM ledger_entries ORDER BY seq DESC LIMIT 1) e`,
  );
}

/** INSERTs copies of the first row of a table, one for each row of `numbers`, with other values in some columns. */
function clone(table: string, numbers: string, values: Readonly<Record<string, string>>): string {
  const members = Object.entries(values).map(([column, value]) => `'${column}', ${value}`);
  return `INSERT INTO ${table} SELECT r.* FROM (SELECT t FROM ${table} t LIMIT 1) first, ${numbers},
    LATERAL jsonb_populate_record(first.t, jsonb_build_object(${members.join(', ')})) r`;
}

async function sample(client: pg.Client): Promise<Filled> {
  const { rows: entries } = await client.query<{ id: string; entity_id: string }>(
    `SELECT id, entity_id FROM ledger_entries e, (SELECT max(seq) AS last FROM ledger_entries) m
     WHERE function = 'createBEO' AND e.seq % greatest(1, last / ${SAMPLE}) = 0`,
  );
  return {
    beoIds: entries.map(({ entity_id }) => entity_id),
    transactionIds: entries.map(({ id }) => id),
  };
}
