import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { badGateway } from '../../auditor/audit/test-bad-gateway.ts';
import { everyNth } from '../../protocol/test-amount.ts';
import { readConfig } from '../../server/config.ts';
import { createRedisProcess, type RedisProcess } from '../../server/http/limits/test-redis/redis-process.ts';
import { agreeOnSettings } from '../../server/ledger/agreed-settings.ts';
import { type Devnet, startDevnet } from '../../server/network/devnet/devnet.ts';
import { clientOf, signed } from '../../server/network/devnet/test-devnet.ts';
import { testWallet } from '../../server/network/test-wallet.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { createPool } from '../../server/platform/db/pool.ts';
import { migratedDatabase } from '../../server/platform/db/test-database.ts';
import { freePort } from '../../server/platform/listening/free-port.ts';
import { EXPIRED, testTls, VALID } from '../../server/testing/test-tls.ts';
import { backups } from './backups.ts';
import { databaseEncryption } from './database.ts';
import { exposedTo } from './key-files.ts';
import { spaceProblems } from './machine.ts';
import { proxyCheck, proxyProblems } from './proxy.ts';
import { describe as describeResults, examine, hasErrors } from './run-checks.ts';
import { redis } from './services.ts';

let directory: string;
let devnet: Devnet;
let redisProcess: RedisProcess;
let mailServer: SMTPServer;
let database: Awaited<ReturnType<typeof migratedDatabase>>;
let env: Record<string, string>;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-doctor-`));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  devnet = await startDevnet({ directory: join(directory, 'devnet'), blockMs: 100, log, wallet: await testWallet() });
  [redisProcess, database] = await Promise.all([createRedisProcess(), migratedDatabase()]);
  mailServer = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] });
  await once(mailServer.listen(0, '127.0.0.1'), 'listening');
  await redisProcess.start();
  for (const [name, byte] of [
    ['relayer', 'ab'],
    ['checkpoint', 'bc'],
    ['webhook', 'de'],
  ] as const) {
    writeFileSync(join(directory, `${name}.key`), byte.repeat(32), { mode: 0o600 });
  }
  const wallet = join(directory, 'wallet.json');
  writeFileSync(wallet, JSON.stringify(await testWallet()), { mode: 0o600 });
  env = {
    DATA_DIR: directory,
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
    REDIS_URL: redisProcess.url,
    ARWEAVE_GATEWAY_URL: devnet.url,
    ARWEAVE_WALLET_FILE: wallet,
    RELAYER_KEY_FILE: join(directory, 'relayer.key'),
    VAULT_KEY: 'cd'.repeat(32),
    INSTITUTE_KEY_DIGESTS: ['a', 'b', 'c'].map((key) => createHash('sha256').update(key).digest('hex')).join(','),
    SMTP_URL: `smtp://127.0.0.1:${(mailServer.server.address() as AddressInfo).port}`,
    MAIL_FROM: 'Perpetua <guardians@example.org>',
  };
  const pool = createPool(database.url, 1, () => undefined);
  const { address } = loadWallet(wallet);
  await agreeOnSettings(pool, { network: 'arweave', wallet: address, domainSuffix: 'bsp' });
  await pool.end();
});
afterAll(async () => {
  await Promise.all([devnet.stop(), redisProcess.remove(), database.drop(), mailServer.close()]);
  rmSync(directory, { recursive: true, force: true });
});

/** The embedded network. */
const DEVNET = { ARWEAVE_GATEWAY_URL: '', ARWEAVE_WALLET_FILE: '' };

/** Checks of this machine: its user, and the database of the tests, which is not backed up. */
const MACHINE = ['user', 'backups'];

/** The findings by the name of their check; those of MACHINE are left out. */
async function findings(changes: Record<string, string> = {}): Promise<Record<string, string[]>> {
  const results = await examine(readConfig({ ...env, ...changes }));
  const found = results.filter(({ name, findings }) => findings.length > 0 && !MACHINE.includes(name));
  return Object.fromEntries(found.map((one) => [one.name, one.findings.map(({ problem }) => problem)]));
}

test('a complete configuration has no findings', async () => {
  expect(await findings()).toEqual({});
});

describe('each broken part is one finding', () => {
  const BROKEN: [string, Record<string, string>, string, RegExp][] = [
    ['no database', { DATABASE_URL: 'postgres://127.0.0.1:9/x' }, 'database', /cannot be reached \(ECONNREFUSED\)/],
    ['more processes than connections', { PROCESSES: '8' }, 'database', /^With 8 processes the .* up to 190 .* raise/],
    ['no gateway', { ARWEAVE_GATEWAY_URL: 'http://127.0.0.1:9' }, 'gateway', /does not answer \/info/],
    ['no mail server', { SMTP_URL: 'smtp://127.0.0.1:9' }, 'mail', /does not accept a session \(ESOCKET\)/],
    ['no Redis', { REDIS_URL: 'redis://127.0.0.1:9' }, 'Redis', /cannot be used \(ECONNREFUSED\)/],
    ['a low cap', { MAX_WINSTON_PER_BUNDLE: '1' }, 'wallet', /more than MAX_WINSTON_PER_BUNDLE \(1\)/],
    [
      'an unknown name',
      { PUBLIC_URL: 'https://no.such.invalid' },
      'public address',
      /no\.such\.invalid .* does not resolve/,
    ],
    [
      'a missing key',
      { RELAYER_KEY_FILE: '/nonexistent/key' },
      'key files',
      /\/nonexistent\/key, which does not exist/,
    ],
    ['no vault key', { VAULT_KEY: '' }, 'key files', /^There is no vault key: VAULT_KEY is not set/],
    [
      'another network',
      DEVNET,
      'settings of the database',
      /is on Arweave, but this service would write to the embedded/,
    ],
    ['another suffix', { DOMAIN_SUFFIX: 'x' }, 'settings of the database', /end with \.bsp, but DOMAIN_SUFFIX is x/],
    ['a misspelt setting', { DATABSE_URL: 'x' }, 'names of settings', /^DATABSE_URL is not a setting/],
    [
      'an open port behind a proxy',
      { TRUST_PROXY: '1', HOST: '0.0.0.0' },
      'direct connections',
      /listens on 0\.0\.0\.0: whoever connects to port \d+ directly can forge a client address/,
    ],
    ['no institute', { INSTITUTE_KEY_DIGESTS: '' }, 'key files', /The institute has no keys/],
  ];
  test.each(everyNth(4, BROKEN))('%s', async (_, changes, name, problem) => {
    expect((await findings(changes))[name]?.join(' ')).toMatch(problem);
  });

  test('a relayer key that is kept elsewhere, without the keys of checkpoints and webhooks', async () => {
    expect((await findings({ DATA_DIR: join(directory, 'empty') }))['key files']).toEqual([
      'No checkpoints are published: CHECKPOINT_KEY_FILE is not set.',
      'Events are not sent to webhooks: WEBHOOK_KEY_FILE is not set.',
    ]);
  });

  test('each gateway of several is checked, and named', async () => {
    const { gateway } = await findings({ ARWEAVE_GATEWAY_URL: `${devnet.url}, http://127.0.0.1:9` });
    expect(gateway).toHaveLength(1);
    expect(gateway?.[0]).toMatch(/^The gateway http:\/\/127\.0\.0\.1:9 does not answer \/info \(/);
  });

  test('a node as the only gateway, which has no list', async () => {
    devnet.setKind('node');
    const { gateway } = await findings();
    expect(gateway).toEqual([
      'The gateway has no /graphql: verify, restore and the check for lost operations at the start cannot list what the wallet posted.',
      'The gateway has no /raw; data are read at /<id>.',
    ]);
    const results = await examine(readConfig(env));
    const levels = results.find(({ name }) => name === 'gateway')?.findings.map(({ level }) => level);
    expect(levels).toEqual(['warning', 'note']);
    expect(describeResults(results).join('\n')).toContain('note         gateway: The gateway has no /raw;');
    devnet.setKind('gateway');
  });

  const LACKING: [string, RegExp, number, string[]][] = [
    ['/block/height', /^\/block\/height\//, 404, ['has no /block/height: the time of a block is not known.']],
    [
      '/chunk',
      /^\/chunk$/,
      404,
      ['has no /chunk: bundles above 256 KiB cannot be posted, nor data that the network lost.'],
    ],
    ['/raw', /^\/raw\//, 421, ['has no /raw; data are read at /<id>.']],
    ['/<id>, and not at /raw', /^\/[\w-]{43}$/, 400, []],
    [
      'data',
      /^\/(raw\/)?[\w-]{43}$/,
      400,
      ['has no /raw and /<id>: bundles cannot be read back, so they never become final.'],
    ],
    [
      'data without payment',
      /^\/(raw\/)?[\w-]{43}$/,
      402,
      ['does not answer /raw and /<id> (The gateway answered 402 (No.) to GET /raw/'],
    ],
    [
      '/graphql for now',
      /^\/graphql$/,
      503,
      ['does not answer /graphql (The gateway answered 503 (No.) to POST /graphql.).'],
    ],
  ];
  test.each(everyNth(4, LACKING))('a gateway that lacks %s', async (_, path, status, expected) => {
    const { json, data } = await signed(clientOf(devnet), Buffer.from('some data'));
    await clientOf(devnet).post(json, data);
    await devnet.mine();
    const lacking = await badGateway(
      ({ url = '' }, response) => path.test(url) && Boolean(response.writeHead(status).end('No.')),
      devnet.url,
    );
    const { gateway = [] } = await findings({ ARWEAVE_GATEWAY_URL: lacking.url });
    expect(gateway).toEqual(expected.map((sentence) => expect.stringContaining(`The gateway ${sentence}`)));
    const beside = await findings({ ARWEAVE_GATEWAY_URL: `${devnet.url},${lacking.url}` });
    const isLacked = expected.filter((sentence) => sentence.startsWith('has no') && sentence.includes(':'));
    expect((beside.gateway ?? []).filter((problem) => problem.endsWith('; another gateway has.'))).toHaveLength(
      isLacked.length,
    );
  });

  test('a key that others can read', async () => {
    chmodSync(env.RELAYER_KEY_FILE ?? '', 0o644);
    expect((await findings())['key files']).toEqual([expect.stringContaining('everyone on this machine (mode 0644)')]);
    chmodSync(env.RELAYER_KEY_FILE ?? '', 0o600);
  });

  test('a key that a group can read, unless it is of root and the service reads it through its own group', () => {
    const user = { uid: 10_001, gid: 10_001 };
    const secret = { mode: 0o100440, uid: 0, gid: 10_001 };
    expect(exposedTo(secret, user)).toBeNull();
    expect(exposedTo({ ...secret, uid: 10_001 }, user)).toBe('a group');
    expect(exposedTo({ ...secret, uid: 1_000 }, user)).toBe('a group');
    expect(exposedTo({ ...secret, gid: 0 }, user)).toBe('a group');
    expect(exposedTo({ ...secret, mode: 0o100460 }, user)).toBe('a group');
    expect(exposedTo({ ...secret, mode: 0o100444 }, user)).toBe('everyone on this machine');
  });

  test('a certificate that expired, and its key that others can read', async () => {
    const tls = testTls(EXPIRED);
    chmodSync(tls.env.TLS_KEY_FILE, 0o640);
    expect((await findings(tls.env))['key files']).toEqual([
      expect.stringMatching(/key\.pem is accessible to a group \(mode 0640\)/),
      'The certificate in TLS_CERT_FILE expired at 2021-01-01T00:00:00.000Z.',
    ]);
    tls.write({ cert: VALID.cert });
    expect((await findings(tls.env))['key files']?.at(-1)).toMatch(/ is not the key of the first certificate in /);
    tls.remove();
  });

  test('a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect((await findings({ PORT: String(port) })).port).toEqual([expect.stringContaining('EADDRINUSE')]);
    server.close();
  });
});

/** What `npm run doctor` reports about backups. */
async function backupFindings(changes: Record<string, string>): Promise<string[]> {
  const [{ findings = [] } = {}] = await examine(readConfig({ ...env, ...changes }), [backups]);
  return findings.map(({ level, problem }) => `${level}: ${problem}`);
}

test('a database that is not archived, and a folder for backups that cannot be used', async () => {
  expect(await backupFindings({})).toEqual([expect.stringMatching(/^warning: .* does not archive/)]);
  const embedded = { DATABASE_URL: '' };
  expect(await backupFindings({ ...embedded, BACKUP_DIR: join(directory, 'none') })).toEqual([
    expect.stringMatching(/^error: .* cannot be written \(ENOENT\)/),
  ]);
  expect(await backupFindings({ ...embedded, BACKUP_DIR: join(directory, 'relayer.key') })).toEqual([
    expect.stringMatching(/^error: .* is not a folder/),
  ]);
  expect(await backupFindings({ ...embedded, BACKUP_DIR: directory })).toEqual([
    'warning: BACKUP_DIR is on the same file system as DATA_DIR.',
  ]);
  const [{ skipped = null } = {}] = await examine(readConfig({ ...env, ...embedded }), [backups]);
  expect(skipped).toMatch(/BACKUP_DIR is not set/);
});

test('a database on another host without TLS is a warning', async () => {
  const found = async (DATABASE_URL: string) =>
    (await examine(readConfig({ ...env, DATABASE_URL }), [databaseEncryption]))[0]?.findings ?? [];
  expect(await found('postgres://db.example/x')).toMatchObject([
    { problem: expect.stringContaining('db.example are not encrypted') },
  ]);
  expect(await found('postgres://db.example/x?sslmode=verify-full')).toEqual([]);
});

test('TRUST_PROXY is compared with what a proxy appends, which also passes bodies and streams on', async () => {
  const toOthers = new Set<number>();
  const server = createServer(async (incoming, outgoing) => {
    toOthers.add((await fetch(`http://127.0.0.1:${env.PORT}/`)).status);
    const forwarded = `${incoming.headers['x-forwarded-for']}, ${incoming.socket.remoteAddress}`;
    const target = { host: '127.0.0.1', port: env.PORT, path: incoming.url, headers: { 'x-forwarded-for': forwarded } };
    const options = { ...target, method: incoming.method };
    incoming.pipe(request(options, (answer) => answer.pipe(outgoing.writeHead(answer.statusCode ?? 502))));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const PUBLIC_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await findings({ PUBLIC_URL, TRUST_PROXY: '1' })).toEqual({});
  // What the proxy sends here for a client while the service does not run.
  expect([...toOthers]).toEqual([503]);
  expect((await findings({ PUBLIC_URL, TRUST_PROXY: '2' })).proxy).toEqual([
    'TRUST_PROXY is 2, but 1 proxy appends to X-Forwarded-For.',
  ]);
  server.close();
});

test('a proxy that redirects, or that refuses a large body, is reported with what to change', async () => {
  const server = createServer((incoming, outgoing) => {
    if (incoming.method === 'POST') return void outgoing.writeHead(413).end();
    if (incoming.headers.host?.startsWith('localhost'))
      return void outgoing.writeHead(301, { location: `http://127.0.0.1:${port}${incoming.url}` }).end();
    const target = { host: '127.0.0.1', port: env.PORT, path: incoming.url, headers: incoming.headers };
    request(target, (answer) => answer.pipe(outgoing.writeHead(answer.statusCode ?? 502))).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect((await findings({ PUBLIC_URL: `http://localhost:${port}` })).proxy).toEqual([
    `PUBLIC_URL is http://localhost:${port}, but that address redirects to http://127.0.0.1:${port}.`,
  ]);
  expect((await findings({ PUBLIC_URL: `http://127.0.0.1:${port}` })).proxy).toEqual([
    'A body of 1024 KiB, as a batch of records may have, does not pass the proxy (status 413).',
  ]);
});

test.each([
  [false, 'error: A request to PUBLIC_URL does not arrive at this machine (status 404).'],
  [
    true,
    'warning: A request to PUBLIC_URL does not arrive in this container (status 404), so the proxy was not checked',
  ],
])('a request that another server answers is an error, in a container a warning: %s', async (inContainer, start) => {
  const server = createServer((_, answer) => answer.writeHead(404).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const PUBLIC_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const results = await examine(readConfig({ ...env, PUBLIC_URL }), [proxyCheck(inContainer)]);
  server.close();
  expect(results[0]?.findings.map(({ level, problem }) => `${level}: ${problem}`)).toEqual([
    expect.stringContaining(start),
  ]);
  expect(hasErrors(results)).toBe(!inContainer);
});

test('trusting too many proxies is an error, trusting too few a warning', () => {
  expect(proxyProblems(1, '192.0.2.77, 198.51.100.1')).toEqual([]);
  expect(proxyProblems(1, '198.51.100.1')).toEqual([]);
  expect(proxyProblems(2, '192.0.2.77, 198.51.100.1')).toMatchObject([{ level: 'error' }]);
  expect(proxyProblems(0, '192.0.2.77, 198.51.100.1')).toMatchObject([{ level: 'warning' }]);
  expect(proxyProblems(1, '192.0.2.77')).toMatchObject([
    { level: 'error', remedy: expect.stringMatching(/^Set TRUST_PROXY to 0/) },
  ]);
  expect(proxyProblems(1, '192.0.2.77', true)).toMatchObject([
    { level: 'error', problem: expect.stringMatching(/unchanged/) },
  ]);
});

test('little space is a warning, almost none an error', () => {
  expect([3, 1, 0.1].map((gib) => spaceProblems('/', gib * 1024 ** 3)[0]?.level)).toEqual([
    undefined,
    'warning',
    'error',
  ]);
});

test('requests that Upstash counts are not reported as counted by each machine', async () => {
  const UPSTASH = { UPSTASH_REDIS_REST_URL: 'https://x.example', UPSTASH_REDIS_REST_TOKEN: 'token' };
  const results = await examine(readConfig({ ...env, ...UPSTASH, REDIS_URL: '' }), [redis]);
  expect(results).toEqual([
    { name: 'Redis', skipped: expect.stringContaining('UPSTASH_REDIS_REST_URL'), findings: [] },
  ]);
});

test('the report has a line for each check and a remedy for each finding', async () => {
  const results = await examine(readConfig({ ...env, MAX_WINSTON_PER_BUNDLE: '1', SMTP_URL: '', MAIL_FROM: '' }));
  const lines = describeResults(results);
  expect(lines).toContain('ok           database');
  expect(lines).toContainEqual(expect.stringMatching(/^not checked {2}mail: SMTP_URL is not set/));
  expect(lines).toContainEqual(expect.stringMatching(/^error {8}wallet: A full bundle costs/));
  expect(lines).toContain('             Raise the limit, or wait until the price falls.');
  expect(hasErrors(results)).toBe(true);
});
