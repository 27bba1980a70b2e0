import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { expect, test } from 'vitest';
import { newHolder, query, testOperator } from '../../auditor/audit/test-operator.ts';
import { verify } from '../../auditor/audit/verify.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { exportRecords } from '../../server/features/records/export-records.ts';
import { readRecords } from '../../server/features/records/read-records.ts';
import { signedFields } from '../../server/platform/crypto/signed-request.ts';
import { MIGRATIONS } from '../../server/platform/db/migrate.ts';
import { adminUrlOf, freshDatabase } from '../../server/platform/db/test-database.ts';

interface Stored {
  readonly people: {
    readonly holder: { readonly beoId: string; readonly key: JsonWebKey };
    readonly lab: { readonly ieoId: string; readonly key: JsonWebKey };
    readonly tokenId: string;
  };
  /** Rows by table, as to_jsonb returns them. */
  readonly tables: Readonly<Record<string, readonly { readonly name?: string }[]>>;
  /** The data directory: paths with contents in base64. */
  readonly files: Readonly<Record<string, string>>;
}

/** The keys, database and devnet of a test network at commit 9d5dd5e, with identities, consents, guardians and records. */
const STORED = new URL('./stored/state-9d5dd5e.json.gz', import.meta.url);

test('data stored by an earlier version can be served, verified, read and extended', async () => {
  const { people, tables, files }: Stored = JSON.parse(gunzipSync(readFileSync(STORED)).toString());
  const operator = await testOperator({ files });
  const databaseUrl = await operator.database(freshDatabase);
  await load(databaseUrl, tables);
  const service = await operator.serve(databaseUrl);
  const listed = 'SELECT token_id AS id, sum(records)::bigint AS submitted FROM submissions GROUP BY 1 ORDER BY 1';
  const counted = await query<object>(databaseUrl, 'SELECT id, submitted FROM tokens WHERE submitted > 0 ORDER BY 1');
  expect(counted.length).toBeGreaterThan(0);
  expect(await query(databaseUrl, listed)).toEqual(counted);

  const audit = await operator.run((parts) => verify({}, parts), databaseUrl);
  // The stored ledger contains a recovery by guardians without public signatures.
  expect(audit.verdict, audit.text).toBe('asserted');
  expect(audit.text).toContain('No breach');

  const { holder, lab, tokenId } = people;
  const signed = (functionName: string, fields: Record<string, Json>, key: JsonWebKey) =>
    signedFields(functionName, fields, createPrivateKey({ key, format: 'jwk' }));
  const use = { targetBeo: holder.beoId, consentToken: tokenId };
  const filters = { categories: null, biomarkers: null, levels: null, from: null, to: null };
  const page = { ...filters, status: 'ACTIVE' as const, limit: 100, offset: 0 };
  const { records, total } = await readRecords(service.context, signed('readRecords', use, lab.key), page);
  expect([records.length, total]).toEqual([35, 35]);
  const whole = await exportRecords(service.context, signed('sovereignExport', { ...use, format: 'CSV' }, lab.key));
  expect(whole.recordCount).toBe(35);

  await newHolder(service);
  await operator.settle(databaseUrl);
  const after = await operator.run((parts) => verify({}, parts), databaseUrl);
  expect(after.verdict, after.text).toBe('asserted');
  const [head] = await query<{ seq: number }>(databaseUrl, 'SELECT seq::int FROM ledger_head');
  expect(head?.seq).toBe((tables.ledger_entries?.length ?? 0) + 1);
});

/** Migrates a database to the stored version and loads the rows, as superuser so that triggers can be disabled. */
async function load(databaseUrl: string, tables: Stored['tables']): Promise<void> {
  const applied = new Set(tables.migrations?.map(({ name }) => name));
  const service = new pg.Client({ connectionString: databaseUrl });
  await service.connect();
  await service.query('CREATE TABLE migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())');
  for (const { sql } of MIGRATIONS.filter(({ name }) => applied.has(name))) await service.query(sql);
  await service.end();
  const superuser = new pg.Client({ connectionString: adminUrlOf(databaseUrl) });
  await superuser.connect();
  await superuser.query("SET session_replication_role = 'replica'");
  for (const [table, rows] of Object.entries(tables)) {
    await superuser.query(`DELETE FROM ${table}`);
    const text = `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`;
    await superuser.query(text, [JSON.stringify(rows)]);
  }
  await superuser.end();
}
