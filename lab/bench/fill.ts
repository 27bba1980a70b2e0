import { hash } from 'node:crypto';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../server/platform/db/postgres/embedded-postgres.ts';
import { domainOf } from './load/workloads.ts';

/** About what a bundle of 256 KiB holds. */
const PER_BUNDLE = 270;
const BATCH = 50_000;

/**
 * Adds identities until there are `population`, directly into the embedded database of a stopped server that has created
 * one: rows like those of that identity, its entry and its bundle, with other ids. Their items are copies, so the ledger
 * can be read and extended but not verified.
 */
export async function fillIdentities(dataDir: string, population: number, log: (line: string) => void): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const client = new pg.Client({ connectionString: postgres.url });
  try {
    await client.connect();
    const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM beos');
    for (let from = Number(rows[0]?.count); from < population; from += BATCH) {
      await client.query('BEGIN');
      await addIdentities(client, from, Math.min(BATCH, population - from));
      await client.query('COMMIT');
      log(`filled ${Math.min(from + BATCH, population)} of ${population} identities`);
    }
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
    await postgres.stop();
  }
}

/** The id of identity `i`, but for the first. */
export const filledBeoId = (i: number): string =>
  hash('md5', `identity ${i}`).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
/** The id of its entry. */
export const filledEntryId = (i: number): string => hash('sha256', String(i), 'base64url');

/** The same in SQL; `s` is the place on the ledger. */
const ENTITY = `md5('identity ' || i)::uuid`;
const ENTRY_ID = `translate(left(encode(sha256(i::text::bytea), 'base64'), 43), '+/', '-_')`;

async function addIdentities(client: pg.Client, from: number, count: number): Promise<void> {
  const [before = '', after = ''] = domainOf(0).split('0');
  const domain = `'${before}' || i || '${after}'`;
  const numbers = `generate_series(${from}, ${from + count - 1}) AS i, LATERAL (SELECT h.seq + 1 + i - ${from} AS s FROM ledger_head h)`;
  const bundles = `generate_series(0, ${count - 1}, ${PER_BUNDLE}) AS b, LATERAL (SELECT h.seq + 1 + b AS s, ${from} + b AS i FROM ledger_head h)`;
  const [id, seq, transaction_id] = [ENTITY, 's', ENTRY_ID];
  const last_seq = `s - b + least(b + ${PER_BUNDLE}, ${count}) - 1`;
  const posted = { l1_tx: `reverse(${ENTRY_ID})`, status: `'FINAL'`, prepared_at: `now() - interval '2 days'` };
  const key = 'md5(i::text) || md5((-i)::text)';
  for (const copies of [
    clone('beos', numbers, { id, domain, public_key: key, transaction_id, seq }),
    clone('names', numbers, { id: domain, holder_id: id, transaction_id, seq }),
    clone('ledger_entries', numbers, { seq, id: ENTRY_ID, entity_id: id }),
    clone('bundles', bundles, { first_seq: seq, last_seq, ...posted }),
  ]) {
    await client.query(copies);
  }
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
