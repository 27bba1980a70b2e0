import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnyOperation, OPERATIONS } from '../../protocol/operations.ts';
import vectors from '../../protocol/vectors/messages.json' with { type: 'json' };
import { guardiansOf } from '../guardians/test-guardians.ts';
import { expectRefusal } from '../http/rest/test-refusal.ts';
import { createCaller } from '../http/trpc/router.ts';
import { type Exchange, exchangeOf, measurement, type Relation } from '../records/test-exchange.ts';
import { newPerson, type Person, startTestService, type TestService } from '../test-service.ts';
import type { Fields } from './test-parties.ts';

/** Two deployments of the product with relayers of their own, and a third that asks everybody for the ledger's id. */
let home: TestService;
let other: TestService;
let strict: TestService;
let ids: Record<'home' | 'other' | 'strict', string>;
let exchange: Exchange;
beforeAll(async () => {
  [home, other, strict] = await Promise.all([
    startTestService(),
    startTestService(),
    startTestService({ LEDGER_ID_REQUIRED: 'true' }),
  ]);
  const idOf = async (service: TestService) => (await service.get('/api/ledger')).body.ledger_id as string;
  ids = { home: await idOf(home), other: await idOf(other), strict: await idOf(strict) };
  exchange = exchangeOf(home);
});
afterAll(() => Promise.all([home, other, strict].map((service) => service?.stop())));

interface Sample {
  readonly operation: AnyOperation;
  readonly body: Record<string, unknown>;
}

/** A well-formed body of every signed operation, without a ledgerId. */
const SAMPLES: readonly Sample[] = vectors.cases
  .filter(({ approver, body }) => approver === undefined && !body.includes('"ledgerId"'))
  .filter(({ operation }, index, all) => index === all.findIndex((one) => one.operation === operation))
  .map(({ operation, body }) => ({
    operation: OPERATIONS.find(({ name }) => name === operation) as AnyOperation,
    body: JSON.parse(body),
  }));

/** Sends a body to every address of its operation. */
const sent = (service: TestService, { operation, body }: Sample) =>
  Promise.all(
    operation.routes.map(({ method, path, takes = {} }) => {
      const values = { ...Object.fromEntries(Object.entries(takes).map(([name, field]) => [name, body[field]])) };
      const token = randomBytes(32).toString('base64url');
      const address = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(values[name] ?? token)));
      return service.request(address, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    }),
  );

test('there is a sample of every operation that somebody signs', () => {
  const signed = OPERATIONS.filter(({ signer }) => signer !== 'institute').map(({ name }) => name);
  expect(SAMPLES.map(({ operation }) => operation.name).toSorted()).toEqual(signed.toSorted());
});

describe.each(SAMPLES.map((sample) => [sample.operation.name, sample] as const))('%s', (_, sample) => {
  test('signed for another ledger is refused, before its timestamp is checked', async () => {
    const body = { ...sample.body, ledgerId: ids.home };
    for (const answer of await sent(other, { ...sample, body })) {
      expectRefusal(answer, 'WRONG_LEDGER');
      expect(answer.body.details).toEqual({ ledger_id: ids.other });
    }
  });

  test('without a ledgerId is refused where it is required, with the name of the field', async () => {
    for (const answer of await sent(strict, sample)) {
      expectRefusal(answer, 'VALIDATION_FAILED');
      expect(answer.body.details.issues).toMatchObject([{ path: 'ledgerId' }]);
      expect(answer.body.error).toContain('ledgerId is required here');
    }
  });
});

describe('an operation on one deployment', () => {
  test('cannot be replayed at another that it is not signed for', async () => {
    const person = newPerson();
    const fields = { domain: 'replayed.bsp', publicKey: person.publicKey, recovery: null };
    const body = person.sign('createBEO', { ...fields, ledgerId: ids.home });
    expect((await home.post('/api/relayer/beo', body)).status).toBe(201);
    expectRefusal(await other.post('/api/relayer/beo', body), 'WRONG_LEDGER');
    const { ledgerId: _, ...without } = body;
    expectRefusal(await other.post('/api/relayer/beo', without), 'INVALID_SIGNATURE');
    expectRefusal(await other.post('/api/relayer/beo', { ...body, ledgerId: ids.other }), 'INVALID_SIGNATURE');
    expect((await other.get('/api/beos/domain/replayed.bsp')).status).toBe(404);
  });

  test('cannot be replayed without a ledgerId where it is required', async () => {
    const person = newPerson();
    const fields = { domain: 'unnamed.bsp', publicKey: person.publicKey, recovery: null };
    const body = person.sign('createBEO', fields);
    expect((await home.post('/api/relayer/beo', body)).status).toBe(201);
    expectRefusal(await strict.post('/api/relayer/beo', body), 'VALIDATION_FAILED');
    expectRefusal(await strict.post('/api/relayer/beo', { ...body, ledgerId: ids.strict }), 'INVALID_SIGNATURE');
    const named = person.sign('createBEO', { ...fields, ledgerId: ids.strict });
    expect((await strict.post('/api/relayer/beo', named)).status).toBe(201);
  });

  test('names the ledger in the entry, and in what the dashboard sends', async () => {
    const holder = await exchange.parties.newHolder();
    const body = holder.person.sign('lockBEO', { beoId: holder.id, ledgerId: ids.home });
    const answer = await home.post('/api/relayer/beo/lock', body);
    const entry = JSON.parse(
      Buffer.from(answer.body.receipt, 'base64')
        .toString('latin1')
        .replace(/^.*?(?={"a)/s, ''),
    );
    expect(entry.message.ledgerId).toBe(ids.home);
    const call = createCaller({ services: other.service.context, address: '192.0.2.1' });
    await expect(call.operate({ function: 'lockBEO', body })).rejects.toMatchObject({
      cause: { code: 'WRONG_LEDGER' },
    });
  });
});

describe('what is signed and is no operation', () => {
  let use: Relation;
  beforeAll(async () => {
    use = await exchange.related();
    await exchange.submitted(use, [measurement()]);
  });

  const named = (ledgerId: string) => exchange.signed(use, 'readRecords', { ledgerId });

  test('a read, with the id in the query or in the header', async () => {
    expect((await home.get(exchange.query(named(ids.home)))).body.total).toBe(1);
    const { ledgerId, ...rest } = named(ids.home);
    expect((await home.get(exchange.query(rest), { 'x-ledger-id': String(ledgerId) })).body.total).toBe(1);
    expectRefusal(await home.get(exchange.query(rest)), 'INVALID_SIGNATURE');
    expectRefusal(await home.get(exchange.query(named(ids.other))), 'WRONG_LEDGER');
    expectRefusal(await home.get(exchange.query(named(ids.home)), { 'x-ledger-id': ids.other }), 'VALIDATION_FAILED');
    expectRefusal(await strict.get(exchange.query(exchange.signed(use, 'readRecords'))), 'VALIDATION_FAILED');
  });

  test.each<[string, string, () => { by: Person; fields: Fields }]>([
    [
      'exchange/export',
      'sovereignExport',
      () => ({
        by: use.by.person,
        fields: { targetBeo: use.holder.id, consentToken: use.tokenId, format: 'JSON' },
      }),
    ],
    ['exchange/access', 'listAccess', () => ({ by: use.holder.person, fields: { beoId: use.holder.id } })],
    ['guardian/list', 'listGuardians', () => ({ by: use.holder.person, fields: { beoId: use.holder.id } })],
    [
      'guardian/guarded',
      'listGuarded',
      () => ({ by: use.holder.person, fields: { publicKey: use.holder.person.publicKey } }),
    ],
  ])('%s', async (path, name, asked) => {
    const address = `/api/${path}`;
    const { by, fields } = asked();
    const body = by.sign(name, { ...fields, ledgerId: ids.home });
    const answer = await home.post(address, body);
    expect([answer.status, answer.body.code]).toEqual([200, undefined]);
    expectRefusal(await other.post(address, body), 'WRONG_LEDGER');
    expectRefusal(await strict.post(address, by.sign(name, fields)), 'VALIDATION_FAILED');
  });

  test('a request for recovery: where it is signed, and not where it is not', async () => {
    const { holder } = await guardiansOf(home).guarded();
    const next = newPerson();
    const path = '/api/relayer/beo/request-recovery';
    const fields = { beoId: holder.id, newPublicKey: next.publicKey };
    const body = next.sign('requestRecovery', { ...fields, ledgerId: ids.home });
    expect((await home.post(path, body)).status).toBe(200);
    expectRefusal(await other.post(path, body), 'WRONG_LEDGER');
    expectRefusal(await strict.post(path, next.sign('requestRecovery', fields)), 'VALIDATION_FAILED');
    expectRefusal(await strict.post(path, fields), 'BEO_NOT_FOUND');
    // An id without a signature says nothing, and is not taken for a signed one.
    expectRefusal(await home.post(path, { ...fields, ledgerId: ids.home }), 'NONCE_REQUIRED');
  });
});

test('a page of another origin may send the header', async () => {
  const { headers } = await home.request('/api/exchange/records', { method: 'OPTIONS' });
  expect(headers.get('access-control-allow-headers')).toContain('X-Ledger-Id');
});
