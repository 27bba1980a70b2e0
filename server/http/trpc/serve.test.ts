import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, freshDomain, newPerson, startTestService, type TestService } from '../../test-service.ts';

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

/** The answer is tRPC's, with the content type that it has. */
const parsed = ({ body }: Answer) => (typeof body === 'string' ? JSON.parse(body) : body);
const codeOf = (answer: Answer) => parsed(answer).error?.data.refused.code;
const leftOf = ({ headers }: Answer) => headers.get('ratelimit')?.split(';t=')[0];

function creation() {
  const person = newPerson();
  const domain = freshDomain();
  return {
    function: 'createBEO',
    body: person.sign('createBEO', { domain, publicKey: person.publicKey, recovery: null }),
  };
}

async function inTurn(count: number, ask: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const _ of times(count)) answers.push(await ask());
  return answers;
}

test('an operation is accepted, and the response reports the remaining allowance', async () => {
  const answer = await operate(creation());
  expect([answer.status, parsed(answer).result.data.domain]).toEqual([200, expect.stringMatching(/\.bsp$/)]);
  expect([leftOf(answer), answer.headers.get('cache-control')]).toEqual(['"relayer";r=9', 'no-store']);
  expect(answer.headers.get('x-request-id')).toMatch(/^[\w.-]+$/);
});

describe('JSON that cannot be stored is refused as by REST', () => {
  const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
  test.each<[string, unknown, string]>([
    ['a NUL', { function: 'lockBEO', body: { beoId: 'a\0b' } }, 'VALIDATION_FAILED'],
    ['half of a surrogate pair', { function: 'lockBEO', body: { beoId: '\ud800' } }, 'VALIDATION_FAILED'],
    ['33 levels', { function: 'lockBEO', body: { beoId: nested(32) } }, 'VALIDATION_FAILED'],
    ['more than REST takes', { function: 'lockBEO', body: { beoId: 'a'.repeat(261 * 1024) } }, 'BODY_TOO_LARGE'],
    ['more than any takes', { function: 'submitRecords', body: { a: 'a'.repeat(1029 * 1024) } }, 'BODY_TOO_LARGE'],
    ['no JSON', '{', 'INVALID_JSON'],
  ])('%s', async (_, body, code) => {
    expect(codeOf(await operate(body))).toBe(code);
  });

  test('levels are counted as by REST', async () => {
    const answer = await operate({ function: 'lockBEO', body: { beoId: nested(31) } });
    expect(parsed(answer).error.message).not.toContain('nested');
  });
});

describe('a call is charged before its body is read', () => {
  test.each<[string, number, string, unknown, string]>([
    ['a wrong shape', 45, OPERATE, { function: 'createBEO', body: 'x' }, 'VALIDATION_FAILED'],
    ['no operation', 45, OPERATE, [], 'VALIDATION_FAILED'],
    ['no JSON', 45, OPERATE, '{', 'INVALID_JSON'],
    ['too deep', 45, OPERATE, `${'['.repeat(99)}${']'.repeat(99)}`, 'VALIDATION_FAILED'],
    ['a wrong shape of a signed read', 30, '/api/trpc/records', {}, 'VALIDATION_FAILED'],
  ])('%s', async (_, limit, path, body, code) => {
    const address = newAddress();
    const answers = await inTurn(limit, () => service.post(path, body, address));
    expect(new Set(answers.map(codeOf))).toEqual(new Set([code]));
    const refused = await service.post(path, body, address);
    expect([refused.status, codeOf(refused)]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await announce(path, address)).toEqual([429, 'RATE_LIMITED']);
  });

  test('an unknown operation is charged as a write', async () => {
    const address = newAddress();
    const unknown = { function: 'dropDatabase', body: {} };
    const answers = await inTurn(10, () => operate(unknown, address));
    expect(new Set(answers.map(codeOf))).toEqual(new Set(['NOT_FOUND']));
    expect(codeOf(await operate(unknown, address))).toBe('RATE_LIMITED');
    expect((await service.post('/api/relayer/beo', {}, address)).status).toBe(429);
  });

  test('an unknown procedure, and a query sent by POST, are charged as reads without reading the body', async () => {
    const address = newAddress();
    const answers = [
      await service.get('/api/trpc/nowhere', address),
      await service.get('/api/trpc/constructor', address),
      await service.get('/api/trpc/lookUp?input=nonsense', address),
    ];
    expect(answers.map(codeOf)).toEqual(['NOT_FOUND', 'NOT_FOUND', 'VALIDATION_FAILED']);
    expect(answers.map(leftOf)).toEqual([299, 298, 297].map((left) => `"trpc_read";r=${left}`));
    expect(await announce('/api/trpc/lookUp', address)).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(await announce('/api/trpc/nowhere', address)).toEqual([404, 'NOT_FOUND']);
    expect(leftOf(await service.get('/api/trpc/nowhere', address))).toBe('"trpc_read";r=294');
  });
});

describe('a batch', () => {
  const input = encodeURIComponent(JSON.stringify({}));
  const batch = (names: string[]) => `/api/trpc/${names.join(',')}?batch=1&input=${input}`;

  test('has at most ten calls, each charged', async () => {
    const address = newAddress();
    const ten = await service.get(batch(times(10).map(() => 'proposals')), address);
    expect([ten.status, parsed(ten).length, leftOf(ten)]).toEqual([200, 10, '"trpc_read";r=290']);
    const eleven = await service.get(batch(times(11).map(() => 'proposals')), address);
    expect([eleven.status, codeOf(eleven)]).toEqual([400, 'VALIDATION_FAILED']);
    expect(leftOf(eleven)).toBe('"trpc_read";r=279');
    const thousand = await service.get(batch(times(1_000).map(() => 'proposals')), address);
    expect(thousand.status).toBe(400);
  });

  test('of writes is charged per call, and a mixed one is not read', async () => {
    const address = newAddress();
    const path = `${OPERATE},operate,operate?batch=1`;
    const answer = await service.post(path, { 0: creation(), 1: creation(), 2: {} }, address);
    expect(parsed(answer).map((one: { error?: unknown }) => (one.error ? 'refused' : 'accepted'))).toEqual([
      'accepted',
      'accepted',
      'refused',
    ]);
    expect(leftOf(await operate({}, address))).toBe('"trpc_write";r=41');
    expect((await announce('/api/trpc/operate,lookUp?batch=1', address))[0]).toBe(400);
  });
});

test('other methods are refused in the shape of errors', async () => {
  for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']) {
    const answer = await service.request(OPERATE, { method });
    expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET, POST']);
  }
  expect((await service.get('/api/trpc')).body.code).toBe('NOT_FOUND');
  expect((await service.get('/api/trpc/a/b')).body.code).toBe('NOT_FOUND');
});

/** Announces a body and never sends it: whoever reads it first does not answer. */
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
