import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, freshDomain, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ RATE_LIMIT: 'on', TRUST_PROXY: '1' });
});
afterAll(() => service.stop());

let lastAddress = 0;
const newAddress = () => ({ 'x-forwarded-for': `198.51.100.${++lastAddress}` });
type Address = ReturnType<typeof newAddress>;

const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const OPERATE = '/api/trpc/operate';
const operate = (body: unknown, address: Address = newAddress()) => service.post(OPERATE, body, address);

/** The body, which is a string unless its content type is exactly JSON. */
const parsed = ({ body }: Answer) => (typeof body === 'string' ? JSON.parse(body) : body);
const codeOf = (answer: Answer) => parsed(answer).error?.data.refused.code;
const remainingIn = ({ headers }: Answer) => headers.get('ratelimit')?.split(';t=')[0];

function creation() {
  const person = newPerson();
  const domain = freshDomain();
  return {
    function: 'createBEO',
    body: person.sign('createBEO', { domain, publicKey: person.publicKey, recovery: null }),
  };
}

async function sequentially(count: number, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const _ of times(count)) answers.push(await send());
  return answers;
}

test('an operation is accepted, and the response reports the remaining allowance', async () => {
  const answer = await operate(creation());
  expect([answer.status, parsed(answer).result.data.domain]).toEqual([200, expect.stringMatching(/\.bsp$/)]);
  expect([remainingIn(answer), answer.headers.get('cache-control')]).toEqual(['"relayer";r=9', 'no-store']);
  expect(answer.headers.get('x-request-id')).toMatch(/^[\w.-]+$/);
});

describe('JSON that cannot be stored is refused:', () => {
  const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  test.each<[string, unknown, string]>([
    ['a NUL', { function: 'lockBEO', body: { beoId: 'a\0b' } }, 'VALIDATION_FAILED'],
    ['a lone surrogate', { function: 'lockBEO', body: { beoId: '\ud800' } }, 'VALIDATION_FAILED'],
    ['33 levels of nesting', { function: 'lockBEO', body: { beoId: nested(32) } }, 'VALIDATION_FAILED'],
    [
      'a body above the limit of the operation',
      { function: 'lockBEO', body: { beoId: 'a'.repeat(261 * 1024) } },
      'BODY_TOO_LARGE',
    ],
    ['a body above every limit', { function: 'submitRecords', body: { a: 'a'.repeat(1029 * 1024) } }, 'BODY_TOO_LARGE'],
    ['invalid JSON', '{', 'INVALID_JSON'],
  ])('%s', async (_, body, code) => {
    expect(codeOf(await operate(body))).toBe(code);
  });

  test('except 32 levels of nesting, as in REST', async () => {
    const answer = await operate({ function: 'lockBEO', body: { beoId: nested(31) } });
    expect(parsed(answer).error.message).not.toContain('nested');
  });
});

describe('a call is charged before its body is read:', () => {
  test.each<[string, number, string, unknown, string]>([
    ['a wrong shape', 45, OPERATE, { function: 'createBEO', body: 'x' }, 'VALIDATION_FAILED'],
    ['an array', 45, OPERATE, [], 'VALIDATION_FAILED'],
    ['invalid JSON', 45, OPERATE, '{', 'INVALID_JSON'],
    ['99 levels of nesting', 45, OPERATE, `${'['.repeat(99)}${']'.repeat(99)}`, 'VALIDATION_FAILED'],
    ['a wrong shape of a signed read', 30, '/api/trpc/records', {}, 'VALIDATION_FAILED'],
  ])('%s', async (_, limit, path, body, code) => {
    const address = newAddress();
    const answers = await sequentially(limit, () => service.post(path, body, address));
    expect(new Set(answers.map(codeOf))).toEqual(new Set([code]));
    const refused = await service.post(path, body, address);
    expect([refused.status, codeOf(refused)]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await announce(path, address)).toEqual([429, 'RATE_LIMITED']);
  });

  test('an unknown operation is charged as a write', async () => {
    const address = newAddress();
    const unknown = { function: 'dropDatabase', body: {} };
    const answers = await sequentially(10, () => operate(unknown, address));
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['NOT_FOUND']));
    expect(codeOf(await operate(unknown, address))).toBe('RATE_LIMITED');
    expect((await service.post('/api/relayer/beo', {}, address)).status).toBe(429);
  });

  test('an unknown procedure and a query sent by POST are charged as reads', async () => {
    const address = newAddress();
    const answers = [
      await service.get('/api/trpc/nowhere', address),
      await service.get('/api/trpc/constructor', address),
      await service.get('/api/trpc/lookUp?input=nonsense', address),
    ];
    expect(answers.map(codeOf)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'VALIDATION_FAILED']);
    expect(answers.map(remainingIn)).toEqual([299, 298, 297].map((remaining) => `"trpc_read";r=${remaining}`));
    expect(await announce('/api/trpc/lookUp', address)).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(await announce('/api/trpc/nowhere', address)).toEqual([404, 'NOT_FOUND']);
    expect(remainingIn(await service.get('/api/trpc/nowhere', address))).toBe('"trpc_read";r=294');
  });
});

describe('a batch', () => {
  const input = encodeURIComponent(JSON.stringify({}));
  const batch = (names: string[]) => `/api/trpc/${names.join(',')}?batch=1&input=${input}`;

  test('has at most ten calls, each charged', async () => {
    const address = newAddress();
    const ten = await service.get(batch(times(10).map(() => 'proposals')), address);
    expect([ten.status, parsed(ten).length, remainingIn(ten)]).toEqual([200, 10, '"trpc_read";r=290']);
    const eleven = await service.get(batch(times(11).map(() => 'proposals')), address);
    expect([eleven.status, codeOf(eleven)]).toEqual([400, 'VALIDATION_FAILED']);
    expect(remainingIn(eleven)).toBe('"trpc_read";r=279');
    const thousand = await service.get(batch(times(1_000).map(() => 'proposals')), address);
    expect(thousand.status).toBe(400);
  });

  test('of writes is charged per call, and a mixed batch is refused before its body is read', async () => {
    const address = newAddress();
    const path = `${OPERATE},operate,operate?batch=1`;
    const answer = await service.post(path, { 0: creation(), 1: creation(), 2: {} }, address);
    expect(parsed(answer).map((result: { error?: unknown }) => (result.error ? 'refused' : 'accepted'))).toEqual([
      'accepted',
      'accepted',
      'refused',
    ]);
    expect(remainingIn(await operate({}, address))).toBe('"trpc_write";r=41');
    expect((await announce('/api/trpc/operate,lookUp?batch=1', address))[0]).toBe(400);
  });
});

test('other methods are refused in the format of errors', async () => {
  for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']) {
    const answer = await service.request(OPERATE, { method });
    expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET, POST']);
  }
  expect((await service.get('/api/trpc')).body.code).toBe('NOT_FOUND');
  expect((await service.get('/api/trpc/a/b')).body.code).toBe('NOT_FOUND');
});

/** Announces a body without sending it: a response arrives only if the service does not read the body first. */
async function announce(path: string, address: Address) {
  const headers = { ...address, 'content-type': 'application/json', 'content-length': 1000 };
  const request = httpRequest(service.url + path, { method: 'POST', headers });
  request.on('error', () => undefined);
  request.flushHeaders();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const body = (await json(response)) as { error: { data: { refused: { code: string } } } };
  request.destroy();
  return [response.statusCode, body.error.data.refused.code];
}
