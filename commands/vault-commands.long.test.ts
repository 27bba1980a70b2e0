import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { query } from '../auditor/audit/test-operator.ts';
import { builtCommands, type CommandName } from '../auditor/audit/test-worker.ts';
import { keyIdOf, newDataKey, unwrapKey, wrapKey } from '../server/features/vault/data-key.ts';
import { VAULT_LOCK } from '../server/features/vault/vault.ts';
import { removeRunningFile, writeRunningFile } from '../server/platform/data-folder/running-file.ts';
import { migrate } from '../server/platform/db/migrate.ts';
import { createPool } from '../server/platform/db/pool.ts';
import { freshDatabase } from '../server/platform/db/test-database.ts';
import { startTestService, type TestService } from '../server/testing/test-service.ts';
import { partiesOf } from '../server/write/test-parties.ts';

let commands: Awaited<ReturnType<typeof builtCommands>>;
beforeAll(async () => {
  commands = await builtCommands();
});
afterAll(() => commands.remove());

interface Operator {
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Starts a built command as `npm run` does. */
  start(
    name: CommandName,
    args?: readonly string[],
    env?: Record<string, string>,
  ): ChildProcessByStdio<null, Readable, Readable>;
  run(
    name: CommandName,
    args?: readonly string[],
    env?: Record<string, string>,
  ): Promise<{ status: number | null; text: string }>;
  /** Starts a service on this database with the keys of the data directory. */
  serve(env?: Record<string, string>): Promise<TestService>;
  read(file: string): Buffer;
}

async function newOperator(): Promise<Operator> {
  const dataDir = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-`));
  const { url: databaseUrl, drop } = await freshDatabase();
  onTestFinished(async () => {
    await drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const start: Operator['start'] = (name, args = [], env = {}) => {
    const { PATH, HOME, TMPDIR } = process.env;
    const settings: NodeJS.ProcessEnv = {
      PATH,
      HOME,
      TMPDIR,
      NODE_ENV: 'production',
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      ...env,
    };
    return spawn(process.execPath, [commands.path(name), ...args], {
      env: settings,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };
  return {
    dataDir,
    databaseUrl,
    start,
    async run(name, args, env) {
      const child = start(name, args, env);
      let text = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
      const [status] = await once(child, 'close');
      return { status, text };
    },
    async serve(env = {}) {
      const service = await startTestService({ DATA_DIR: dataDir, ...env }, { databaseUrl });
      let stopped: Promise<void> | undefined;
      const stop = () => {
        stopped ??= service.stop();
        return stopped;
      };
      onTestFinished(stop);
      return { ...service, stop };
    },
    read: (file) => Buffer.from(readFileSync(join(dataDir, file), 'utf8'), 'hex'),
  };
}

/** Data keys of many, as a service has left them that is stopped; answered by owner. */
async function fill({ databaseUrl, dataDir }: Operator, count: number): Promise<Map<string, Buffer>> {
  const vaultKey = randomBytes(32);
  writeFileSync(join(dataDir, 'vault.key'), vaultKey.toString('hex'), { mode: 0o600 });
  const pool = createPool(databaseUrl, 1, () => undefined);
  await migrate(pool);
  const keys = new Map(Array.from({ length: count }, () => [randomUUID() as string, newDataKey()]));
  await pool.query(
    'INSERT INTO vault_keys (owner_id, wrapped, key_id) SELECT owner_id, wrapped, $3 FROM unnest($1::uuid[], $2::bytea[]) AS k (owner_id, wrapped)',
    [[...keys.keys()], [...keys].map(([id, key]) => wrapKey(vaultKey, id, key)), keyIdOf(vaultKey)],
  );
  await pool.end();
  return keys;
}

interface Row {
  readonly owner_id: string;
  readonly wrapped: Buffer;
  readonly key_id: string;
}

const rowsOf = ({ databaseUrl }: Operator) => query<Row>(databaseUrl, 'SELECT * FROM vault_keys ORDER BY owner_id');

function expectAllWrapped(rows: readonly Row[], vaultKey: Buffer, keys: ReadonlyMap<string, Buffer>): void {
  expect(rows).toHaveLength(keys.size);
  for (const { owner_id, wrapped } of rows) expect(unwrapKey(vaultKey, owner_id, wrapped)).toEqual(keys.get(owner_id));
  expect(new Set(rows.map(({ key_id }) => key_id))).toEqual(new Set([keyIdOf(vaultKey)]));
}

const readVault = ({ service: { context } }: TestService, rowId = '') => context.vault.read(context.pool, rowId);

const GUARDIANS = [
  { name: 'Grete', contact: 'grete@example.org', role: 'primary' },
  { name: 'Horst', contact: 'horst@example.org', role: 'secondary' },
];

async function withGuardians(service: TestService) {
  const parties = partiesOf(service);
  const holder = await parties.newHolder();
  const answer = await parties.beo(holder, 'recovery', 'updateRecovery', { recovery: { guardians: GUARDIANS } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { holder, parties };
}

describe('rotate-vault-key', () => {
  test('after a rotation stored data can be read, the old key is refused and a destruction erases', async () => {
    const operator = await newOperator();
    const service = await operator.serve();
    const [first, second] = [await withGuardians(service), await withGuardians(service)];
    const rowId = (
      await query<{ id: string }>(operator.databaseUrl, "SELECT id FROM vault_rows WHERE id LIKE 'guardian:%' LIMIT 1")
    )[0]?.id;
    const content = await readVault(service, rowId);
    await service.stop();
    const old = operator.read('vault.key');

    const rotated = await operator.run('rotate-vault-key');
    expect(rotated.text).toContain('All 2 data keys are wrapped with the new vault key, 2 of them by this run.');
    expect(rotated.text).toContain('vault.key.old, for backups');
    expect(rotated.status).toBe(0);
    expect(
      readdirSync(operator.dataDir)
        .filter((name) => name.startsWith('vault.key'))
        .sort(),
    ).toEqual(['vault.key', 'vault.key.old']);
    expect(operator.read('vault.key.old')).toEqual(old);
    expect(operator.read('vault.key')).not.toEqual(old);
    for (const key of ['vault.key', 'vault.key.old'])
      expect(rotated.text).not.toContain(operator.read(key).toString('hex'));

    const before = await rowsOf(operator);
    const repeated = await operator.run('rotate-vault-key');
    expect(repeated.text).toContain('All 2 data keys are wrapped with the new vault key, 0 of them by this run.');
    expect(repeated.status).toBe(0);
    expect(await rowsOf(operator)).toEqual(before);

    await expect(operator.serve({ VAULT_KEY: old.toString('hex') })).rejects.toThrow(
      'VAULT_KEY does not open the vault in this database; nothing was changed.',
    );
    expect(await rowsOf(operator)).toEqual(before);

    const served = await operator.serve();
    expect(await readVault(served, rowId)).toEqual(content);
    const destroyed = await partiesOf(served).beo(first.holder, 'destroy', 'destroyBEO');
    expect(destroyed.status).toBe(200);
    expect((await rowsOf(operator)).map(({ owner_id }) => owner_id)).toEqual([second.holder.id]);
    expect((await operator.run('traces', [first.holder.id])).status).toBe(0);
  });

  test('is refused while a service or another rotation is running', async () => {
    const operator = await newOperator();
    const service = await operator.serve();
    await withGuardians(service);
    const before = await rowsOf(operator);
    const connected = await operator.run('rotate-vault-key');
    expect(connected.text).toMatch(
      /^It could not be done: Connections of Perpetua to this database are open: \d+\. Stop every process/,
    );
    expect(connected.status).toBe(2);
    // As on another machine: this data directory does not name a running service.
    for (const args of [[], ['--keep-private']]) {
      const restored = await operator.run('restore', args);
      expect(restored.text).toMatch(/^It could not be done: Connections of Perpetua to this database are open: \d+/);
      expect(restored.status).toBe(2);
    }
    await service.stop();
    writeRunningFile(operator.dataDir, { pid: process.pid, gateway_url: service.gatewayUrl, database_url: '' });
    const noted = await operator.run('rotate-vault-key', [], { ARWEAVE_GATEWAY_URL: '' });
    expect(noted.text).toContain(`process id ${process.pid}`);
    expect(noted.status).toBe(2);
    removeRunningFile(operator.dataDir);
    const rotating = new pg.Client({ connectionString: operator.databaseUrl });
    await rotating.connect();
    await rotating.query('SELECT pg_advisory_lock($1)', [VAULT_LOCK]);
    const second = await operator.run('rotate-vault-key');
    expect(second.text).toContain(
      'Another rotate-vault-key or forget-key is running on this database, or was killed a moment ago.',
    );
    expect(second.status).toBe(2);
    await expect(operator.serve()).rejects.toThrow('The vault in this database is being rotated');
    await rotating.end();
    expect(await rowsOf(operator)).toEqual(before);
    expect(existsSync(join(operator.dataDir, 'vault.key.next'))).toBe(false);
  });

  test('after a kill neither key starts the service, and the next run continues', async () => {
    const operator = await newOperator();
    const keys = await fill(operator, 2_500);
    const [old, ids] = [operator.read('vault.key'), [...keys.keys()].sort()];
    const blocker = new pg.Client({ connectionString: operator.databaseUrl });
    await blocker.connect();
    // The third batch waits for this row, so that the command is killed there.
    await blocker.query('BEGIN');
    await blocker.query('SELECT FROM vault_keys WHERE owner_id = $1 FOR UPDATE', [ids[2_400]]);
    const child = operator.start('rotate-vault-key');
    const waiting =
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'perpetua' AND wait_event_type = 'Lock'";
    await expect.poll(async () => (await query(operator.databaseUrl, waiting)).length).toBe(1);
    child.kill('SIGKILL');
    await once(child, 'close');

    // The server would notice the lost client only after the lock is released.
    await query(operator.databaseUrl, `SELECT pg_terminate_backend(pid) FROM (${waiting}) AS left_over`);
    await expect.poll(async () => (await query(operator.databaseUrl, waiting)).length).toBe(0);
    await blocker.query('ROLLBACK');
    await blocker.end();
    const next = operator.read('vault.key.next');
    expect(operator.read('vault.key')).toEqual(old);
    expect((await rowsOf(operator)).map(({ key_id }) => key_id === keyIdOf(next))).toEqual(
      ids.map((_, index) => index < 2_000),
    );
    for (const key of [old, next]) {
      await expect(operator.serve({ VAULT_KEY: key.toString('hex') })).rejects.toThrow(
        'run "npm run rotate-vault-key" again',
      );
    }

    const resumed = await operator.run('rotate-vault-key');
    expect(resumed.text).toContain('All 2500 data keys are wrapped with the new vault key, 500 of them by this run.');
    expect(resumed.status).toBe(0);
    expectAllWrapped(await rowsOf(operator), operator.read('vault.key'), keys);
    expect(operator.read('vault.key')).toEqual(next);
    expect(operator.read('vault.key.old')).toEqual(old);
  });

  test('with a wrong old key changes nothing and names a data key that it does not open', async () => {
    const operator = await newOperator();
    const keys = await fill(operator, 3);
    const correctKey = operator.read('vault.key');
    const before = await rowsOf(operator);
    writeFileSync(join(operator.dataDir, 'vault.key'), 'ab'.repeat(32));
    const wrong = await operator.run('rotate-vault-key');
    expect(wrong.text).toContain(
      `Neither the old vault key nor the new one opens the data key of ${before[0]?.owner_id}`,
    );
    expect(wrong.text).toContain('Nothing was changed.');
    expect(wrong.status).toBe(2);
    expect(await rowsOf(operator)).toEqual(before);
    expect(operator.read('vault.key').toString('hex')).toBe('ab'.repeat(32));
    writeFileSync(join(operator.dataDir, 'vault.key'), correctKey.toString('hex'));
    expect((await operator.run('rotate-vault-key')).status).toBe(0);
    expectAllWrapped(await rowsOf(operator), operator.read('vault.key'), keys);
  });

  test('with keys from the environment creates none, and reports what to set without showing a key', async () => {
    const operator = await newOperator();
    const keys = await fill(operator, 3);
    const VAULT_KEY = operator.read('vault.key').toString('hex');
    renameSync(join(operator.dataDir, 'vault.key'), join(operator.dataDir, 'elsewhere'));
    const before = await rowsOf(operator);
    const withoutNext = await operator.run('rotate-vault-key', [], { VAULT_KEY });
    expect(withoutNext.text).toMatch(
      /^It could not be done: VAULT_KEY is set, but NEW_VAULT_KEY is not: no key is created/,
    );
    expect(withoutNext.status).toBe(2);
    expect(await rowsOf(operator)).toEqual(before);
    expect(readdirSync(operator.dataDir)).toEqual(['elsewhere']);

    const next = randomBytes(32).toString('hex');
    writeFileSync(join(operator.dataDir, 'vault.key.next'), next, { mode: 0o600 });
    const continued = await operator.run('rotate-vault-key', [], { VAULT_KEY });
    expect(continued.text).toContain(`Set VAULT_KEY to the content of ${join(operator.dataDir, 'vault.key.next')}`);
    expect(continued.status).toBe(0);
    expect(continued.text).not.toContain(next);
    expect(existsSync(join(operator.dataDir, 'vault.key'))).toBe(false);
    const set = await operator.run('rotate-vault-key', [], { VAULT_KEY: next });
    expect(set.text).toContain('0 of them by this run');
    expect(set.text).toContain(`The same key is in ${join(operator.dataDir, 'vault.key.next')}: remove it.`);
    rmSync(join(operator.dataDir, 'vault.key.next'));

    const given = { VAULT_KEY: next, NEW_VAULT_KEY: 'CD'.repeat(32) };
    const fromEnvironment = await operator.run('rotate-vault-key', [], given);
    expect(fromEnvironment.text).toContain('Set VAULT_KEY to NEW_VAULT_KEY before the service starts.');
    expect(fromEnvironment.status).toBe(0);
    expect((await operator.run('rotate-vault-key', [], given)).text).toContain('0 of them by this run');
    expectAllWrapped(await rowsOf(operator), Buffer.alloc(32, 0xcd), keys);
    expect(readdirSync(operator.dataDir)).toEqual(['elsewhere']);
  });

  test('does not create a missing current key, and does not overwrite vault.key.old', async () => {
    const operator = await newOperator();
    const withoutKey = await operator.run('rotate-vault-key');
    expect(withoutKey.text).toMatch(/^It could not be done: There is no vault key: /);
    expect(withoutKey.status).toBe(2);
    await fill(operator, 1);
    expect((await operator.run('rotate-vault-key')).status).toBe(0);
    const before = operator.read('vault.key.old');
    const second = await operator.run('rotate-vault-key', [], { NEW_VAULT_KEY: 'ef'.repeat(32) });
    expect(second.text).toContain('vault.key.old holds the key before the last rotation.');
    expect(second.status).toBe(2);
    expect(operator.read('vault.key.old')).toEqual(before);
    rmSync(join(operator.dataDir, 'vault.key.old'));
    expect((await operator.run('rotate-vault-key', [], { NEW_VAULT_KEY: 'ef'.repeat(32) })).status).toBe(0);
    expect(operator.read('vault.key')).toEqual(Buffer.alloc(32, 0xef));
  });
});

describe('traces', () => {
  test('counts the rows of a BEO, and after destruction reports whether erasable data are left', async () => {
    const operator = await newOperator();
    const service = await operator.serve();
    const { holder, parties } = await withGuardians(service);
    const lab = await parties.newInstitution();
    const living = await operator.run('traces', [holder.domain.toUpperCase()]);
    expect(living.text).toContain(`BEO ${holder.id}: ACTIVE`);
    expect(living.text).toMatch(/in the vault: guardians \(name and contact\) +2\n/);
    expect(living.text).not.toMatch(/Grete|horst@/);
    expect(living.text).not.toContain(holder.person.publicKey);
    expect(living.status).toBe(0);

    await parties.beo(holder, 'destroy', 'destroyBEO');
    const destroyed = await operator.run('traces', [holder.id]);
    expect(destroyed.text).toContain('No erasable data are left.');
    expect(destroyed.text).toContain('Backups and standbys of the server in DATABASE_URL are not known here');
    expect(destroyed.text).toMatch(/ledger entries +3\n/);
    expect(destroyed.status).toBe(0);
    await query(operator.databaseUrl, 'INSERT INTO recovery_mailings (beo_id, mailed_at) VALUES ($1, now())', [
      holder.id,
    ]);
    const left = await operator.run('traces', [holder.id]);
    expect(left.text).toContain('LEFT after destruction: 1 erasable.');
    expect(left.text).toMatch(/times of mailings to guardians +1\n/);
    expect(left.status).toBe(1);

    for (const [named, sentence] of [
      [holder.domain, 'No BEO holds that domain. After destruction, give the id.'],
      [lab.domain, 'That is the domain of an institution'],
      [lab.id, 'That is the id of an institution'],
      [randomUUID(), 'There is no BEO with the id'],
      ['', 'Give the id or domain of a BEO'],
    ] as const) {
      const refused = await operator.run('traces', [named]);
      expect(refused.text).toContain(sentence);
      expect(refused.status).toBe(2);
    }
  });
});
