import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { MALFORMED_TARGETS } from '../http/rest/test-requests.ts';
import { migratedDatabase } from '../platform/db/test-database.ts';
import { createLog } from '../platform/observe/log.ts';
import { startTcpProxy } from '../testing/tcp-proxy.ts';
import { accepted, expectAllFinal, expectOnceOnNetwork } from '../testing/test-load.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { readProcessState } from './process-state.ts';
import { type Admin, startAdmin } from './start-admin.ts';
import { STYLE } from './style.ts';

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

async function adminOf({ service: { context } }: TestService) {
  const admin: Admin = await startAdmin(context, 0, async () => ({
    answered: [await readProcessState(context)],
    silent: [4711],
    parent: {
      pid: 42,
      problems: [{ at: '2026-01-01T00:00:00.000Z', level: 'error', message: 'a serving process ended', details: {} }],
    },
  }));
  const host = `127.0.0.1:${admin.port}`;
  const send = async (method: string, path: string, headers: Record<string, string> = {}): Promise<Reply> => {
    const request = httpRequest({ port: admin.port, host: '127.0.0.1', method, path, headers: { host, ...headers } });
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      request.once('response', resolve).once('error', reject).end(),
    );
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
  };
  return { admin, host, send, get: (path: string, headers = {}) => send('GET', path, headers) };
}

const lines: string[] = [];
let service: TestService;
let page: Awaited<ReturnType<typeof adminOf>>;
beforeAll(async () => {
  const log = createLog({ LOG_LEVEL: 'warn' }, null, { write: (line) => void lines.push(line) });
  service = await startTestService({}, { log });
  page = await adminOf(service);
});
afterAll(async () => {
  await page.admin.stop();
  await service.stop();
});

const state = async () => JSON.parse((await page.get('/state.json')).body);
const ready = async () => (await service.get('/ready')).body;

test('shows every part of /ready, the processes, the loops and the wallet, as a page and as JSON', async () => {
  await accepted(service, 3);
  await expectAllFinal(service);
  await expect.poll(async () => (await ready()).status).toBe('ready');
  const { status, headers, body } = await page.get('/');
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-store',
  ]);
  for (const part of ['database', 'ledger', 'limiter', 'network', 'wallet', 'storage', 'backlog']) {
    expect(body).toContain(`<dt>${part}</dt><dd><span class="mark good">ok</span></dd>`);
  }
  expect(body).toContain(`<dt>leader</dt><dd>process ${process.pid}</dd>`);
  expect(body).toContain('<dt>last step: relay</dt><dd><time');
  expect(body).toContain('<dt>price of an operation</dt><dd>0.');
  expect(body).toContain('<button>Pause posting</button>');
  const found = await state();
  expect(found).toMatchObject({
    version: '1.0.0',
    readiness: { status: 'ready', backlog: { entries: 0 } },
    posting: { paused_since: null, leader_pid: process.pid, due_at: null },
    processes: [{ pid: process.pid, leads: true, posting_problem: null, accepted_operations: 3, queue_operations: 0 }],
  });
  expect(body).toContain(
    '<td data-name="process">4711</td><td colspan="8"><span class="mark bad">does not answer</span>',
  );
  expect(found.problems.at(-1)).toMatchObject({ pid: 42, message: 'a serving process ended' });
  expect(found.posting.last_posted_at).toMatch(/^20.+Z$/);
  expect(found.spending.days_left).toBeGreaterThan(0);
  expect(JSON.parse((await page.get('/', { accept: 'application/json' })).body).version).toBe('1.0.0');
  expect(JSON.parse((await page.get('/ready')).body).status).toBe('ready');
  expect((await page.get('/metrics')).body).toContain('\nperpetua_posting_paused 0\n');
  expect((await page.get('/other')).status).toBe(404);
});

describe('refuses, and changes nothing, on', () => {
  const PAUSE = ['POST', '/pause'] as const;
  test.each([
    ['the Host of a website whose name was rebound', 'GET', '/', { host: 'evil.example' }],
    ['a Host that begins with a local address', ...PAUSE, { host: '127.0.0.1.evil.example' }],
    ['a Host with another name before the local one', ...PAUSE, { host: 'evil.localhost' }],
    ['a Host that begins with a local name', 'GET', '/state.json', { host: 'localhost@evil.example' }],
    ['a form on another site', ...PAUSE, { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    [
      'a form on another port of this machine',
      ...PAUSE,
      { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'same-site' },
    ],
    ['a form whose page hides its origin', ...PAUSE, { origin: 'null' }],
    ['a form of a browser that sends no Origin', ...PAUSE, { 'sec-fetch-site': 'cross-site' }],
    ['a request that a proxy forwards', 'GET', '/', { 'x-forwarded-for': '203.0.113.7' }],
  ])('%s', async (_, method, path, headers) => {
    const refused = await page.send(method, path, headers);
    expect([refused.status, Object.keys(JSON.parse(refused.body))]).toEqual([403, ['error']]);
    expect((await state()).posting.paused_since).toBe(null);
  });

  test('reading the address of a button', async () => {
    expect((await page.get('/pause')).status).toBe(404);
    expect((await state()).posting.paused_since).toBe(null);
  });
});

test.each(MALFORMED_TARGETS)('answers a request for %s', async (target) => {
  expect([200, 404]).toContain((await page.get(target)).status);
});

test('is open under the names of this machine, also on the other port of an SSH tunnel', async () => {
  for (const host of ['localhost:9000', '127.0.0.1:9000', '[::1]:9000', 'localhost']) {
    expect((await page.get('/', { host })).status).toBe(200);
    expect((await page.send('POST', '/resume', { host, origin: `http://${host}` })).status).toBe(303);
  }
});

test('may load only its style, submit only to itself, and not be framed', async () => {
  const { headers, body } = await page.get('/');
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  );
  // With no-referrer a browser would send "Origin: null" with the page's own forms.
  expect(headers['referrer-policy']).toBe('same-origin');
  expect(headers['set-cookie']).toBe(undefined);
  expect(body).not.toMatch(/\s(style|on\w+)=|<(script|link|img|iframe)/);
});

test('has the colours of the other pages', () => {
  const tokens = readFileSync(new URL('../../app/_ui/styles/tokens.css', import.meta.url), 'utf8');
  const colours = [...STYLE.matchAll(/--([\w-]+):(light-dark\([^)]+\))/g)];
  expect(colours.length).toBeGreaterThan(10);
  for (const [, name, value] of colours) expect(tokens).toContain(`--${name}: ${value?.replace(',', ', ')};`);
});

test('the buttons pause and resume posting; /ready, the metrics and the log show it', async () => {
  const paused = await page.send('POST', '/pause', { origin: `http://${page.host}`, 'sec-fetch-site': 'same-origin' });
  expect([paused.status, paused.headers.location]).toEqual([303, '/']);
  const before = (await service.get('/api/ledger')).body.entries_final;
  await accepted(service, 4);
  await expect.poll(async () => (await ready()).backlog.entries).toBe(4);
  expect(await ready()).toMatchObject({
    status: 'degraded',
    backlog: { ok: false, problem: expect.stringMatching(/^An operator has paused posting since 20/) },
  });
  await expect.poll(async () => (await state()).processes[0].posting_problem).toMatch(/^An operator has paused/);
  const { posting } = await state();
  expect(Date.parse(posting.due_at)).toBeGreaterThan(Date.now() + 86_000_000);
  expect((await page.get('/')).body).toContain('<button>Resume posting</button>');
  expect((await page.get('/metrics')).body).toContain('\nperpetua_posting_paused 1\n');
  expect((await service.get('/api/ledger')).body.entries_final).toBe(before);

  // Without a browser, and twice.
  const again = await page.send('POST', '/pause', { accept: 'application/json' });
  expect(JSON.parse(again.body)).toEqual({ paused_since: posting.paused_since });
  const resumed = await page.send('POST', '/resume', { accept: 'application/json' });
  expect(JSON.parse(resumed.body)).toEqual({ paused_since: null });
  await expectAllFinal(service);
  await expectOnceOnNetwork(service);
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('by an operator'));
  expect(logged.map(({ msg, since }) => [msg, since])).toEqual([
    ['posting was paused by an operator', posting.paused_since],
    ['posting was resumed by an operator', null],
  ]);
});

test('shows the last 50 warnings and errors, without any text that a client or a server sent', async () => {
  const { log } = service.service.context;
  log.error(
    { err: new TypeError('the name of Ada Lovelace'), requestId: 'order-1', path: '/x?q=secret' },
    '<b>broken</b>',
  );
  log.info('not a problem');
  const [problem] = (await state()).problems;
  expect(problem).toMatchObject({
    level: 'error',
    message: '<b>broken</b>',
    pid: process.pid,
    details: { error: 'TypeError', requestId: 'order-1' },
  });
  const { body } = await page.get('/');
  expect(body).toContain('&lt;b&gt;broken&lt;/b&gt;');
  expect(body).not.toMatch(/Lovelace|secret|<b>/);
  for (let index = 1; index <= 60; index++) log.warn(`line ${index}`);
  const { problems } = await state();
  expect(problems).toHaveLength(51);
  expect([problems[0].message, problems[49].message, problems[50].pid]).toEqual(['line 60', 'line 11', 42]);
});

test('is served while the database does not answer; a pause is then refused', async () => {
  const database = await migratedDatabase();
  const proxy = await startTcpProxy(Number(new URL(database.url).port));
  const through = new URL(database.url);
  through.port = String(proxy.port);
  const cut = await startTestService({}, { databaseUrl: through.href });
  const own = await adminOf(cut);
  onTestFinished(async () => {
    await own.admin.stop();
    await cut.stop();
    await proxy.stop();
    await database.drop();
  });
  proxy.cut();
  await expect.poll(async () => (await own.get('/')).body).toContain('The database is not reachable.');
  expect((await own.send('POST', '/pause')).status).toBe(503);
});
