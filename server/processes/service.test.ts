import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ConfigError, readConfig } from '../config.ts';
import { RELAY_LOCK } from '../ledger/leader.ts';
import { wholeChain } from '../ledger/test-chain.ts';
import { testWallet } from '../network/test-wallet.ts';
import { loadWallet } from '../network/wallet.ts';
import { createClock } from '../platform/db/clock.ts';
import { createPool } from '../platform/db/pool.ts';
import { migratedDatabase } from '../platform/db/test-database.ts';
import { captureLog, freshDomain, newPerson, startTestService, type TestService } from '../testing/test-service.ts';
import { type Service, type ServiceParts, startService } from './service.ts';

let first: TestService;
beforeAll(async () => {
  first = await startTestService();
});
afterAll(() => first.stop());

const elsewhere = () => {
  const path = mkdtempSync(join(tmpdir(), 'perpetua-keys-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

/** Another process's service on the same database and network, without HTTP. */
function another(
  env: Record<string, string> = {},
  {
    log = pino({ level: 'silent' }),
    databaseUrl = first.databaseUrl,
    ...network
  }: Partial<ServiceParts['gateway'] & Pick<ServiceParts, 'log' | 'databaseUrl'>> = {},
): Promise<Service> {
  return startService({
    config: readConfig({ RATE_LIMIT: 'off', DATA_DIR: first.dataDir, BUNDLE_MAX_AGE_MS: '200', ...env }),
    log,
    databaseUrl,
    gateway: { urls: [first.gatewayUrl], kind: 'devnet', wallet: loadWallet(first.devnet.wallet), ...network },
    publicUrl: () => first.url,
  });
}

/** The sentence with which a start is refused. */
async function refusalOf(starting: Promise<unknown>): Promise<string> {
  const refusal = await starting.then(
    () => null,
    (error: unknown) => error,
  );
  expect(refusal).toBeInstanceOf(ConfigError);
  return (refusal as Error).message;
}

async function created(guardians: { name: string; contact: string; role: string }[] = [], service = first) {
  const person = newPerson();
  const recovery = guardians.length > 0 ? { guardians } : null;
  const body = person.sign('createBEO', { domain: freshDomain(), publicKey: person.publicKey, recovery });
  const answer = await service.post('/api/relayer/beo', body);
  expect(answer.status).toBe(201);
  return answer.body;
}

describe('a start', () => {
  test('with the key of another relayer is refused, and changes nothing', async () => {
    const before = await first.get('/api/ledger');
    await expect(another({ DATA_DIR: elsewhere() })).rejects.toThrow(
      new ConfigError('The relayer key does not belong to the ledger in this database; nothing was changed.'),
    );
    const after = await first.get('/api/ledger');
    expect(after.body.relayer_public_key).toBe(before.body.relayer_public_key);
    await created();
  });

  test('with another VAULT_KEY is refused, also while the vault is empty', async () => {
    const VAULT_KEY = 'c0ffee00'.repeat(8);
    const sentence = 'VAULT_KEY does not open the vault in this database; nothing was changed.';
    expect(await refusalOf(another({ VAULT_KEY }))).toBe(sentence);
    await created([{ name: 'A', contact: 'b', role: 'primary' }]);
    expect(await refusalOf(another({ VAULT_KEY }))).toBe(sentence);
    const kept = readFileSync(join(first.dataDir, 'vault.key'), 'utf8');
    await (await another({ VAULT_KEY: kept.toUpperCase() })).stop();
    const keyFile = join(elsewhere(), 'copied');
    writeFileSync(keyFile, readFileSync(join(first.dataDir, 'relayer.key')));
    await (await another({ RELAYER_KEY_FILE: keyFile })).stop();
  });

  test('by a role that may only read and write rows serves on a schema that is up to date', async () => {
    const database = await migratedDatabase();
    const admin = createPool(database.adminUrl, 1, () => undefined);
    const role = `rows_${process.pid}_${Date.now()}`;
    await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
    await admin.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
    const url = new URL(database.url);
    url.username = role;
    url.password = 'x';
    const service = await startTestService({}, { databaseUrl: url.href });
    await created([], service);
    await service.stop();
    await admin.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await admin.end();
    await database.drop();
  });

  test('that fails in between closes what it opened', async () => {
    const database = await migratedDatabase();
    const observer = createPool(database.url, 1, () => undefined);
    const WEBHOOK_KEY_FILE = join(elsewhere(), 'webhook.key');
    writeFileSync(WEBHOOK_KEY_FILE, 'no key');
    const { log, lines } = captureLog();
    const starting = another({ WEBHOOK_KEY_FILE, DATA_DIR: elsewhere() }, { databaseUrl: database.url, log });
    expect(await refusalOf(starting)).toMatch(/^WEBHOOK_KEY_FILE is wrong/);
    const others = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    await expect.poll(async () => (await observer.query(others)).rowCount).toBe(0);
    expect(lines.filter((line) => line.includes('stopping: '))).toEqual([]);
    await observer.end();
    await database.drop();
  });

  test('with other settings than the processes on the same database is refused in one sentence', async () => {
    const { pool } = first.service.context;
    const own = first.service.context.network.walletAddress;
    const otherWallet = loadWallet(await testWallet('second'));
    expect(await refusalOf(another({}, { kind: 'arweave' }))).toMatch(
      /is on the embedded devnet and cannot move to Arweave/,
    );
    expect(await refusalOf(another({}, { wallet: otherWallet }))).toContain(
      `is posted by the wallet ${own}, but the wallet of this service is ${otherWallet.address}: `,
    );
    expect(await refusalOf(another({ DOMAIN_SUFFIX: 'other' }))).toContain('end with .bsp, but DOMAIN_SUFFIX is other');
    const CHECKPOINT_KEY_FILE = join(elsewhere(), 'checkpoint.key');
    writeFileSync(CHECKPOINT_KEY_FILE, 'ab'.repeat(32));
    expect(await refusalOf(another({ CHECKPOINT_KEY_FILE }))).toMatch(/^The checkpoint key is not the one /);

    await pool.query("UPDATE agreed_settings SET value = 'arweave' WHERE name = 'network'");
    expect(await refusalOf(another())).toMatch(
      /is on Arweave, but this service would write to the embedded devnet: set /,
    );
    await pool.query("UPDATE agreed_settings SET value = 'devnet' WHERE name = 'network'");
  });

  test('on a database of an earlier version records the settings, if the wallet is that of its bundles', async () => {
    const { pool } = first.service.context;
    const settings = 'SELECT name, value FROM agreed_settings ORDER BY name';
    const { rows: before } = await pool.query(settings);
    expect(before.map(({ name }) => name)).toEqual([
      'checkpoint_key',
      'domain_suffix',
      'institute_keys',
      'network',
      'wallet',
    ]);
    await created();
    await expect.poll(async () => (await pool.query('SELECT FROM bundles')).rowCount).toBeGreaterThan(0);
    await pool.query('DELETE FROM agreed_settings');
    const otherWallet = loadWallet(await testWallet('second'));
    expect(await refusalOf(another({}, { wallet: otherWallet }))).toContain('is posted by the wallet ');
    expect((await pool.query(settings)).rows).toEqual([]);
    await (await another()).stop();
    expect((await pool.query(settings)).rows).toEqual(before);
  });

  test('with other keys of the institute than the process before it warns, because the keys may change', async () => {
    const INSTITUTE_KEY_DIGESTS = ['ab', 'cd', 'ef'].map((byte) => byte.repeat(32)).join(',');
    const warnings: boolean[] = [];
    for (let start = 0; start < 2; start++) {
      const { log, lines } = captureLog();
      await (await another({ INSTITUTE_KEY_DIGESTS }, { log })).stop();
      warnings.push(lines.some((line) => line.includes('had other INSTITUTE_KEY_DIGESTS')));
    }
    expect(warnings).toEqual([true, false]);
  });

  test('keeps its secrets where only their owner reads them', () => {
    for (const name of ['relayer.key', 'vault.key', join('devnet', 'wallet.json')]) {
      expect([name, (statSync(join(first.dataDir, name)).mode & 0o777).toString(8)]).toEqual([name, '600']);
    }
  });
});

describe('of two processes', () => {
  const leads = ({ context }: Service) => context.loops.state().leading;

  test('one relays; the other takes over when it stops, and nothing goes twice', async () => {
    await expect.poll(() => leads(first.service)).toBe(true);
    const second = await another();
    await created();
    const { pool } = second.context;
    await expect.poll(() => leads(first.service) !== leads(second)).toBe(true);

    const kill = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
      AND objid = ${RELAY_LOCK} AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    expect((await pool.query(kill)).rowCount).toBe(1);
    await Promise.all([created(), created(), created()]);
    await expect
      .poll(async () => (await pool.query('SELECT 1 FROM bundles WHERE status <> $1', ['FINAL'])).rowCount, {
        interval: 100,
      })
      .toBe(0);
    await second.stop();
    await created();
    const seq = (await first.get('/api/ledger')).body.head.seq;
    await expect.poll(async () => (await first.get('/api/ledger')).body.entries_final, { interval: 100 }).toBe(seq);
    await wholeChain(first.service.context.pool);
  });
});

describe('upkeep', () => {
  test('forgets nonces that no request can use any more, and none that one could', async () => {
    const { pool } = first.service.context;
    await pool.query(
      `INSERT INTO nonces (hash, seen_at) VALUES ('\\x01', now() - interval '16 minutes'), ('\\x02', now() - interval '14 minutes')`,
    );
    const kept = async () => {
      const { rows } = await pool.query<{ hash: Buffer }>('SELECT hash FROM nonces WHERE length(hash) = 1');
      return rows.map(({ hash }) => hash[0]);
    };
    await expect.poll(kept, { interval: 100 }).toEqual([2]);
  });
});

test('the clock that counts is the database’s, however wrong the machine’s is', async () => {
  const service = await startTestService({}, { clock: createClock(() => Date.now() - 3_600_000) });
  onTestFinished(() => service.stop());
  const create = (timestamp: string) => {
    const person = newPerson();
    const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null };
    return service.post('/api/relayer/beo', person.sign('createBEO', fields, { timestamp }));
  };
  const now = Date.now();
  const { status, body } = await create(new Date(now).toISOString());
  expect(status).toBe(201);
  expect(Math.abs(Date.parse(body.beo.created_at) - now)).toBeLessThan(60_000);
  const wrong = await create(new Date(now - 3_600_000).toISOString());
  expect(wrong.body.code).toBe('TIMESTAMP_TOO_OLD');
  expect(Math.abs(Date.parse(wrong.body.details.server_time) - now)).toBeLessThan(60_000);
});

test('what is accepted is never earlier than what was accepted before, though the database’s clock was set back', async () => {
  const { pool } = first.service.context;
  const { rows } = await pool.query<{ at: string }>(
    "UPDATE ledger_head SET accepted_at = clock_timestamp() + interval '20 seconds' RETURNING accepted_at AS at",
  );
  const { beo } = await created();
  expect(beo.created_at).toBe(rows[0]?.at);
});
