import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { query, runHere } from '../../auditor/audit/test-operator.ts';
import { removeRunningFile, writeRunningFile } from '../../server/platform/data-folder/running-file.ts';
import { migrateDatabase } from '../../server/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../../server/platform/db/postgres/embedded-postgres.ts';
import { freshDatabase } from '../../server/platform/db/test-database.ts';
import { startTestService } from '../../server/testing/test-service.ts';
import { commitKey, rotateKey } from '../relayer-key/change.ts';
import { createKeyFile, readDigest } from '../relayer-key/digest.ts';
import { dataDirectory } from '../test-data-directory.ts';
import { forgetKey } from './forget.ts';

test('a service whose keys are lost starts with new ones after each is forgotten, and unsubscriptions are reported as lost', async () => {
  const DATA_DIR = dataDirectory();
  const { url: DATABASE_URL, drop } = await freshDatabase();
  onTestFinished(drop);
  const env = { DATA_DIR, DATABASE_URL, BUNDLE_MAX_AGE_MS: '2000000000' };
  const start = () => startTestService({ DATA_DIR, BUNDLE_MAX_AGE_MS: '2000000000' }, { databaseUrl: DATABASE_URL });
  const forget = async (name: string) => (await runHere((parts) => forgetKey(name, parts), env)).text;

  const first = await start();
  await expect(forget('webhook')).rejects.toThrow(/^Connections of Perpetua to this database are open: \d+/);
  await first.stop();
  const [next, following] = ['next', 'following'].map((name) => readDigest(createKeyFile(join(DATA_DIR, name))));
  const rotation = { keyFile: join(DATA_DIR, 'next'), nextKeyDigest: following ?? '' };
  await runHere((parts) => commitKey(next ?? '', parts), env);
  await runHere((parts) => rotateKey(rotation, parts), env);
  await query(DATABASE_URL, "INSERT INTO mail_opt_outs (recipient, since) VALUES ('\\x00', now())");

  for (const name of ['vault.key', 'checkpoint.key', 'webhook.key']) rmSync(join(DATA_DIR, name));
  await expect(start()).rejects.toThrow('run "npm run forget-key -- checkpoint" first');
  expect(await forget('checkpoint')).toContain('The record of the checkpoint key was removed from the database.');
  await expect(start()).rejects.toThrow('VAULT_KEY does not open the vault');
  const ofVault = await forget('vault');
  expect(ofVault).toContain('The vault is empty. The record of its VAULT_KEY was removed from the database.');
  expect(ofVault).toContain('Unsubscribed mailboxes that will receive mails again: 1.');
  await expect(start()).rejects.toThrow('run "npm run forget-key -- webhook" first');
  expect(await forget('webhook')).toContain('The record of the webhook key was removed from the database.');
  const last = await start();
  expect((await last.get('/api/ledger')).status).toBe(200);
  await last.stop();
  await expect(forget('vault')).rejects.toThrow('it is not lost. Nothing was changed.');

  await query(DATABASE_URL, "INSERT INTO vault_keys (owner_id, wrapped) VALUES ($1, '\\x00')", [randomUUID()]);
  const before = await query(DATABASE_URL, 'SELECT * FROM service_keys');
  await expect(forget('vault')).rejects.toThrow(
    'The vault is not empty (data keys: 1), and only its VAULT_KEY opens it',
  );
  expect(before).toHaveLength(1);
  expect(await query(DATABASE_URL, 'SELECT * FROM service_keys')).toEqual(before);
  await expect(forget('relayer')).rejects.toThrow(
    'Give checkpoint, webhook or vault: there is no key "relayer" to forget.',
  );
});

test('a key is forgotten in an embedded database, which runs only for the command', async () => {
  const DATA_DIR = dataDirectory();
  await expect(runHere((parts) => forgetKey('webhook', parts), { DATA_DIR })).rejects.toThrow(
    `${DATA_DIR} has no database: set DATABASE_URL`,
  );
  const embedded = await startEmbeddedPostgres({ dataDir: DATA_DIR, log: () => undefined });
  await migrateDatabase(embedded.url, () => undefined);
  await query(embedded.url, "INSERT INTO webhook_keys (public_keys) VALUES ('{ab}')");
  writeRunningFile(DATA_DIR, { pid: process.pid, gateway_url: 'http://127.0.0.1:9', database_url: embedded.url });
  const forget = (env = {}) => runHere((parts) => forgetKey('webhook', parts), { DATA_DIR, ...env });
  await expect(forget({ ARWEAVE_GATEWAY_URL: 'http://127.0.0.1:9', ARWEAVE_WALLET_FILE: 'none' })).rejects.toThrow(
    /^The service is running/,
  );
  removeRunningFile(DATA_DIR);
  await embedded.stop();
  expect((await forget()).text).toContain('The record of the webhook key was removed from the database.');
  expect((await forget()).text).toContain('The database has no webhook key recorded. Nothing was changed.');
});
