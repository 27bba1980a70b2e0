import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newTiles } from '../../../protocol/transparency/tiles.ts';
import { freePort } from '../../platform/listening/free-port.ts';
import {
  type Answer,
  freshDomain,
  newPerson,
  type Person,
  type SignedBody,
  startTestService,
  type TestService,
} from '../../testing/test-service.ts';

let direct: TestService;
let proxied: TestService;
beforeAll(async () => {
  [direct, proxied] = await Promise.all([
    startTestService({ RATE_LIMIT: 'on' }),
    startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }),
  ]);
});
afterAll(() => Promise.all([direct.stop(), proxied.stop()]));

let lastAddress = 0;
const newAddress = () => `198.51.100.${++lastAddress}`;
const JSON_BODY = { 'content-type': 'application/json' };
const from = (address: string) => ({ 'x-forwarded-for': address });

const codes = (answers: readonly Answer[]) => answers.map(({ status, body }) => body.code ?? status);
const times = (count: number) => Array.from({ length: count }, (_, index) => index);

function creation(person: Person = newPerson()): SignedBody {
  return person.sign('createBEO', { domain: freshDomain(), publicKey: person.publicKey, recovery: null });
}

async function sequentially(count: number, send: (index: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const index of times(count)) answers.push(await send(index));
  return answers;
}

function expectLimited({ status, headers, body }: Answer, group: string, limit: number): void {
  expect([status, body.code]).toEqual([429, 'RATE_LIMITED']);
  const seconds = body.details.retry_after_seconds;
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(headers.get('retry-after')).toBe(String(seconds));
  expect(headers.get('ratelimit-policy')).toBe(`"${group}";q=${limit};w=60`);
  expect(headers.get('ratelimit')).toBe(`"${group}";r=0;t=${seconds}`);
}

describe('one address', () => {
  test('may write ten times a minute, refused writes included, regardless of forwarding headers', async () => {
    const answers = await sequentially(10, (index) => direct.post('/api/relayer/beo', index % 2 ? creation() : {}));
    expect(codes(answers)).toEqual(times(10).map((index) => (index % 2 ? 201 : 'VALIDATION_FAILED')));
    for (const [index, { headers }] of answers.entries()) {
      expect(headers.get('ratelimit-policy')).toBe('"relayer";q=10;w=60');
      expect(headers.get('ratelimit')).toMatch(new RegExp(`^"relayer";r=${9 - index};t=([1-9]|[1-5]\\d|60)$`));
      expect(headers.get('retry-after')).toBe(null);
    }
    expectLimited(await direct.post('/api/relayer/beo', creation()), 'relayer', 10);
    expectLimited(await direct.post('/api/relayer/beo/destroy', {}), 'relayer', 10);
    for (const spoofed of ['203.0.113.9', '203.0.113.9, 127.0.0.1', '::1', 'unknown', ', ,']) {
      expectLimited(await direct.post('/api/relayer/beo', creation(), from(spoofed)), 'relayer', 10);
    }
    const forwarded = {
      forwarded: 'for=203.0.113.9',
      'x-real-ip': '203.0.113.9',
      'x-perpetua-client-address': '203.0.113.9',
    };
    expectLimited(await direct.post('/api/relayer/beo', creation(), forwarded), 'relayer', 10);
  });

  test('may read sixty times a minute over all paths', async () => {
    const paths = [
      '/api/beos/unknown.bsp',
      '/api/ledger',
      '/api/ledger/entries',
      `/api/transactions/${'A'.repeat(43)}`,
    ];
    const answers = await sequentially(60, (index) => direct.get(paths[index % 4] ?? ''));
    expect(new Set(codes(answers))).toEqual(new Set(['BEO_NOT_FOUND', 200, 'TRANSACTION_NOT_FOUND']));
    expect(answers.at(-1)?.headers.get('ratelimit')).toMatch(/^"query";r=0;t=\d+$/);
    expectLimited(await direct.get('/api/ledger'), 'query', 60);
    expectLimited(await direct.get('/api/ledger', from('203.0.113.77')), 'query', 60);
    const head = await direct.request('/api/ledger', { method: 'HEAD' });
    expect([head.status, head.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  });

  test('may then still read the tiles of the log in parallel, as many as the tree of a million entries has', async () => {
    expectLimited(await direct.get('/api/ledger'), 'query', 60);
    const tiles = times(200).map(
      (index) => `/tlog/tile/${index % 2 ? 'entries' : 0}/${String(index).padStart(3, '0')}`,
    );
    const answers = [await direct.get('/tlog/checkpoint')];
    // An address may have 100 connections.
    for (const at of [0, 50, 100, 150]) {
      answers.push(...(await Promise.all(tiles.slice(at, at + 50).map((path) => direct.get(path)))));
    }
    expect(codes(answers)).not.toContain('RATE_LIMITED');
    const left = answers.map(({ headers }) => Number(/^"log_read";r=(\d+);/.exec(headers.get('ratelimit') ?? '')?.[1]));
    expect(Math.min(...left)).toBe(12_000 - 201);
    const tilesOfAMillion = [...newTiles(0, 1_000_000)];
    const bundles = tilesOfAMillion.filter(({ level }) => level === 0).length;
    expect(tilesOfAMillion.length + bundles).toBe(7_831);
    expectLimited(await direct.get(`/tlog/proof/${'A'.repeat(43)}`), 'query', 60);
  });

  test('is not limited for /health, /ready, /metrics, OPTIONS, unknown paths and wrong methods', async () => {
    for (const path of ['/health', '/ready', '/metrics']) {
      const answers = await sequentially(3, () => direct.get(path));
      expect(codes(answers)).toEqual([200, 200, 200]);
      expect(answers[0]?.headers.get('ratelimit')).toBe(null);
    }
    expect((await direct.request('/api/ledger', { method: 'OPTIONS' })).status).toBe(204);
    expect((await direct.get('/api/nowhere')).status).toBe(404);
    expect((await direct.get('/api/relayer/beo')).status).toBe(405);
  });
});

describe('the client address behind one trusted proxy', () => {
  test('is the proxy’s peer, regardless of what the client put before it', async () => {
    const address = newAddress();
    const answers = await sequentially(10, (index) =>
      proxied.post('/api/relayer/beo', {}, from(`203.0.113.${index}, ${address}`)),
    );
    expect(new Set(codes(answers))).toEqual(new Set(['VALIDATION_FAILED']));
    expectLimited(await proxied.post('/api/relayer/beo', {}, from(address)), 'relayer', 10);
    expectLimited(await proxied.post('/api/relayer/beo', {}, from(`10.0.0.1, 10.0.0.2,${address}`)), 'relayer', 10);
    expect((await proxied.post('/api/relayer/beo', {}, from(`${address}, ${newAddress()}`))).status).toBe(400);
  });

  test('of IPv6 counts in its /48 too: 200 reads from one pass at most 16 times the allowance', async () => {
    const answers = await sequentially(200, (index) =>
      proxied.post('/api/relayer/beo', {}, from(`2001:db8:9:${(16 * index).toString(16)}::1`)),
    );
    expect(codes(answers).filter((code) => code !== 'RATE_LIMITED')).toHaveLength(160);
    const last = await proxied.post('/api/relayer/beo', {}, from('2001:db8:9:fff0::1'));
    expect(last.headers.get('ratelimit-policy')).toBe('"relayer";q=160;w=60');
  });

  test('of IPv6 counts as its /64 network', async () => {
    const answers = await sequentially(10, (index) =>
      proxied.post('/api/relayer/beo', {}, from(`2001:db8:0:7::${index + 1}`)),
    );
    expect(new Set(codes(answers))).toEqual(new Set(['VALIDATION_FAILED']));
    expectLimited(await proxied.post('/api/relayer/beo', {}, from('2001:db8:0:7:ffff:1:2:3')), 'relayer', 10);
    expect((await proxied.post('/api/relayer/beo', {}, from('2001:db8:0:8::1'))).status).toBe(400);
  });
});

describe('one key', () => {
  const toggles = (holder: Person, beoId: string) => (index: number) =>
    index % 2
      ? (['unlock', holder.sign('unlockBEO', { beoId })] as const)
      : (['lock', holder.sign('lockBEO', { beoId })] as const);

  test('may write ten times a minute from any address, and others cannot use up this limit', async () => {
    const holder = newPerson();
    const created = creation(holder);
    const write = (path: string, body: SignedBody, address = newAddress()) =>
      proxied.post(`/api/relayer/beo${path}`, body, from(address));
    const beoId = (await write('', created)).body.beo_id as string;

    const stranger = newPerson();
    const forged = await sequentially(12, () => write('/lock', stranger.sign('lockBEO', { beoId })));
    expect(new Set(codes(forged))).toEqual(new Set(['INVALID_SIGNATURE']));
    const replayed = await sequentially(12, () => write('', created));
    expect(new Set(codes(replayed))).toEqual(new Set(['NONCE_REUSED']));

    const toggle = toggles(holder, beoId);
    const own = await sequentially(9, (index) => write(`/${toggle(index)[0]}`, toggle(index)[1]));
    expect(codes(own)).toEqual(times(9).map(() => 200));
    expect(own.at(-1)?.headers.get('ratelimit')).toMatch(/^"relayer";r=0;t=\d+$/);

    const late = holder.sign('unlockBEO', { beoId });
    expectLimited(await write('/unlock', late), 'relayer', 10);
    expect((await write('/unlock', late)).body).toMatchObject({
      code: 'NONCE_REUSED',
      details: { transactionId: null },
    });
    expect((await proxied.get(`/api/beos/${beoId}`, from(newAddress()))).body.beo.status).toBe('LOCKED');
    expect((await write('', creation())).status).toBe(201);
  });
});

describe('every route is charged to its group', () => {
  const TOKEN = 'tok_8e47a4af-eca8-5d3f-a3ec-693a4bbf875b';
  const NUMBERS = { relayer: 10, consent: 15, query: 60 } as const;
  const ROUTES: [group: keyof typeof NUMBERS, method: string, path: string][] = [
    ...['', '/lock', '/unlock', '/rotate-key', '/destroy', '/revoke-all'].map(
      (end) => ['relayer', 'POST', `/api/relayer/beo${end}`] as ['relayer', string, string],
    ),
    ...['', '/lock', '/unlock', '/rotate-key', '/destroy', '/contacts', '/recovery', '/approve', '/certification'].map(
      (end) => ['relayer', 'POST', `/api/ieo${end}`] as ['relayer', string, string],
    ),
    ['consent', 'POST', '/api/relayer/consent'],
    ['consent', 'DELETE', `/api/consent/${TOKEN}`],
    ['consent', 'DELETE', '/api/consent/all'],
    ['consent', 'DELETE', '/api/consent/ieo/clinic.bsp'],
    ['consent', 'DELETE', '/api/consent/intent/READ_RECORDS'],
    ['query', 'GET', `/api/consent/${TOKEN}`],
    ['query', 'GET', '/api/consent/history/anna.bsp'],
    ['query', 'GET', '/api/ieos'],
    ['query', 'GET', '/api/ieos/clinic.bsp'],
    ['query', 'GET', '/api/ieos/domain/clinic.bsp'],
    ['query', 'GET', '/api/ieos/clinic.bsp/certification'],
  ];
  const send = (method: string, path: string, address: string) => {
    const headers = { ...JSON_BODY, ...from(address) };
    return proxied.request(path, { method, headers, ...(method === 'GET' ? {} : { body: '{}' }) });
  };

  test.each(ROUTES)('%s: %s %s', async (group, method, path) => {
    const limit = NUMBERS[group];
    const answer = await send(method, path, newAddress());
    expect(answer.status).toBeLessThan(500);
    expect(answer.headers.get('ratelimit-policy')).toBe(`"${group}";q=${limit};w=60`);
    expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"${group}";r=${limit - 1};t=\\d+$`));
  });

  test('consents are granted and revoked fifteen times a minute in total', async () => {
    const address = newAddress();
    const ways = ROUTES.filter(([group]) => group === 'consent');
    const answers = await sequentially(15, (index) => {
      const [, method, path] = ways[index % ways.length] ?? ways[0] ?? ['consent', 'DELETE', ''];
      return send(method, path, address);
    });
    for (const { status } of answers) expect(status).toBe(400);
    for (const [, method, path] of ways) expectLimited(await send(method, path, address), 'consent', 15);
    expect((await send('POST', '/api/relayer/beo/revoke-all', address)).status).toBe(400);
    expect((await send('GET', `/api/consent/${TOKEN}`, address)).status).toBe(200);
  });

  test('grants are limited by address only, not by key', async () => {
    const holder = newPerson();
    const { body } = await proxied.post('/api/relayer/beo', creation(holder), from(newAddress()));
    const answers = await sequentially(20, (index) => {
      const scope = { intents: ['READ_RECORDS'], categories: ['*'], max_records: index + 1 };
      const fields = { beoId: body.beo_id, ieoId: body.beo_id, scope, expiresInDays: null };
      return proxied.post('/api/relayer/consent', holder.sign('grantConsent', fields), from(newAddress()));
    });
    expect(new Set(codes(answers))).toEqual(new Set([201]));
  });

  test('institute keys can be tried ten times a minute, after which the right one is refused too', async () => {
    const address = newAddress();
    const guess = (key: string) => proxied.post('/api/ieo/approve', {}, { 'x-institute-key': key, ...from(address) });
    expect(new Set(codes(await sequentially(10, (index) => guess(`guess ${index}`))))).toEqual(
      new Set(['INSTITUTE_KEY_INVALID']),
    );
    expectLimited(await guess(proxied.instituteKeys[0] ?? ''), 'relayer', 10);
  });

  test('an institution’s key may write ten times a minute, from wherever', async () => {
    const clinic = newPerson();
    const fields = { domain: freshDomain(), ieoType: 'LAB', displayName: 'A Lab', publicKey: clinic.publicKey };
    const { body } = await proxied.post('/api/ieo', clinic.sign('createIEO', fields), from(newAddress()));
    const ieoId = body.ieo_id as string;
    const contacts = () => {
      const signed = clinic.sign('updateContacts', { ieoId, apiEndpoint: null, webhookUrl: null });
      return proxied.post('/api/ieo/contacts', signed, from(newAddress()));
    };
    expect(codes(await sequentially(9, contacts))).toEqual(times(9).map(() => 200));
    expectLimited(await contacts(), 'relayer', 10);
  });
});

describe('without the limiter’s store', () => {
  test('requests are refused, and /ready reports the store', async () => {
    const port = await freePort();
    const service = await startTestService({
      RATE_LIMIT: 'on',
      REDIS_URL: `redis://:secret-of-redis@127.0.0.1:${port}`,
    });
    try {
      const answers = [
        await service.post('/api/relayer/beo', creation()),
        await service.request('/api/consent/all', { method: 'DELETE', body: '{}', headers: JSON_BODY }),
        await service.post('/api/ieo/approve', {}, { 'x-institute-key': service.instituteKeys[0] ?? '' }),
        await service.get('/api/ieos'),
        await service.get('/api/ledger'),
      ];
      for (const answer of answers) {
        expect([answer.status, answer.body.code]).toEqual([503, 'UNAVAILABLE']);
        expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
        expect(JSON.stringify(answer.body)).not.toMatch(/secret|redis|127\.0\.0\.1/i);
      }
      const ready = await service.get('/ready');
      expect(ready.status).toBe(503);
      expect(ready.body).toMatchObject({
        status: 'unavailable',
        limiter: { ok: false, problem: 'The store of the rate limiter is not reachable.' },
        database: { ok: true },
      });
      expect((await service.get('/health')).status).toBe(200);
      expect((await service.get('/metrics')).status).toBe(200);
      const { rows } = await service.service.context.pool.query('SELECT seq FROM ledger_head');
      expect(rows).toEqual([{ seq: 0 }]);
    } finally {
      await service.stop();
    }
  });
});
