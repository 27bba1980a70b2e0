import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnyOperation, OPERATIONS } from '../../protocol/operations.ts';
import vectors from '../../protocol/vectors/messages.json' with { type: 'json' };
import { guardiansOf } from '../features/guardians/test-guardians.ts';
import { type ConsentParties, type Exchange, exchangeOf, measurement } from '../features/records/test-exchange.ts';
import { expectRefusal } from '../http/rest/test-refusal.ts';
import { createCaller } from '../http/trpc/router.ts';
import { newPerson, type Person, startTestService, type TestService } from '../testing/test-service.ts';
import type { Fields } from './test-parties.ts';

/** Two deployments with different ledgers, and a third that requires a ledgerId. */
let home: TestService;
let foreign: TestService;
let strict: TestService;
let ids: Record<'home' | 'foreign' | 'strict', string>;
let exchange: Exchange;
beforeAll(async () => {
  [home, foreign, strict] = await Promise.all([
    startTestService(),
    startTestService(),
    startTestService({ LEDGER_ID_REQUIRED: 'true' }),
  ]);
  const idOf = async (service: TestService) => (await service.get('/api/ledger')).body.ledger_id as string;
  ids = { home: await idOf(home), foreign: await idOf(foreign), strict: await idOf(strict) };
  exchange = exchangeOf(home);
});
afterAll(() => Promise.all([home, foreign, strict].map((service) => service?.stop())));

interface Sample {
  readonly operation: AnyOperation;
  readonly body: Record<string, unknown>;
}

/** A well-formed body of every signed operation, without a ledgerId. */
const SAMPLES: readonly Sample[] = vectors.cases
  .filter(({ approver, body }) => approver === undefined && !body.includes('"ledgerId"'))
  .filter(({ operation }, index, all) => index === all.findIndex((vector) => vector.operation === operation))
  .map(({ operation, body }) => ({
    operation: OPERATIONS.find(({ name }) => name === operation) as AnyOperation,
    body: JSON.parse(body),
  }));

/** Sends a body to every path of its operation. */
const sendToAll = (service: TestService, { operation, body }: Sample) =>
  Promise.all(
    operation.routes.map(({ method, path, takes = {} }) => {
      const values = Object.fromEntries(Object.entries(takes).map(([name, field]) => [name, body[field]]));
      const token = randomBytes(32).toString('base64url');
      const address = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(values[name] ?? token)));
      return service.request(address, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    }),
  );

test('there is a sample of every operation with a signature', () => {
  const signed = OPERATIONS.filter(({ signer }) => signer !== 'institute').map(({ name }) => name);
  expect(SAMPLES.map(({ operation }) => operation.name).toSorted()).toEqual(signed.toSorted());
});

describe.each(SAMPLES.map((sample) => [sample.operation.name, sample] as const))('%s', (_, sample) => {
  test('signed for another ledger is refused, before its timestamp is checked', async () => {
    const body = { ...sample.body, ledgerId: ids.home };
    for (const answer of await sendToAll(foreign, { ...sample, body })) {
      expectRefusal(answer, 'WRONG_LEDGER');
      expect(answer.body.details).toEqual({ ledger_id: ids.foreign });
    }
  });

  test('without a ledgerId is refused if it is required, with the name of the field', async () => {
    for (const answer of await sendToAll(strict, sample)) {
      expectRefusal(answer, 'VALIDATION_FAILED');
      expect(answer.body.details.issues).toMatchObject([{ path: 'ledgerId' }]);
      expect(answer.body.error).toContain('ledgerId is required here');
    }
  });
});

describe('an operation on one deployment', () => {
  test('cannot be replayed at another', async () => {
    const person = newPerson();
    const fields = { domain: 'replayed.bsp', publicKey: person.publicKey, recovery: null };
    const body = person.sign('createBEO', { ...fields, ledgerId: ids.home });
    expect((await home.post('/api/relayer/beo', body)).status).toBe(201);
    expectRefusal(await foreign.post('/api/relayer/beo', body), 'WRONG_LEDGER');
    const { ledgerId: _, ...without } = body;
    expectRefusal(await foreign.post('/api/relayer/beo', without), 'INVALID_SIGNATURE');
    expectRefusal(await foreign.post('/api/relayer/beo', { ...body, ledgerId: ids.foreign }), 'INVALID_SIGNATURE');
    expect((await foreign.get('/api/beos/domain/replayed.bsp')).status).toBe(404);
  });

  test('cannot be replayed at one that requires a ledgerId', async () => {
    const person = newPerson();
    const fields = { domain: 'unnamed.bsp', publicKey: person.publicKey, recovery: null };
    const body = person.sign('createBEO', fields);
    expect((await home.post('/api/relayer/beo', body)).status).toBe(201);
    expectRefusal(await strict.post('/api/relayer/beo', body), 'VALIDATION_FAILED');
    expectRefusal(await strict.post('/api/relayer/beo', { ...body, ledgerId: ids.strict }), 'INVALID_SIGNATURE');
    const named = person.sign('createBEO', { ...fields, ledgerId: ids.strict });
    expect((await strict.post('/api/relayer/beo', named)).status).toBe(201);
  });

  test('has the ledgerId in its entry; tRPC requests with another one are refused', async () => {
    const holder = await exchange.parties.newHolder();
    const body = holder.person.sign('lockBEO', { beoId: holder.id, ledgerId: ids.home });
    const answer = await home.post('/api/relayer/beo/lock', body);
    const entry = JSON.parse(
      Buffer.from(answer.body.receipt, 'base64')
        .toString('latin1')
        .replace(/^.*?(?={"a)/s, ''),
    );
    expect(entry.message.ledgerId).toBe(ids.home);
    const call = createCaller({ services: foreign.service.context, address: '192.0.2.1' });
    await expect(call.operate({ function: 'lockBEO', body })).rejects.toMatchObject({
      cause: { code: 'WRONG_LEDGER' },
    });
  });
});

describe('signed requests that are not operations', () => {
  let use: ConsentParties;
  beforeAll(async () => {
    use = await exchange.newConsent();
    await exchange.submitted(use, [measurement()]);
  });

  const signedRead = (ledgerId: string) => exchange.signed(use, 'readRecords', { ledgerId });

  test('a read, with the id in the query or in the header', async () => {
    expect((await home.get(exchange.query(signedRead(ids.home)))).body.total).toBe(1);
    const { ledgerId, ...rest } = signedRead(ids.home);
    expect((await home.get(exchange.query(rest), { 'x-ledger-id': String(ledgerId) })).body.total).toBe(1);
    expectRefusal(await home.get(exchange.query(rest)), 'INVALID_SIGNATURE');
    expectRefusal(await home.get(exchange.query(signedRead(ids.foreign))), 'WRONG_LEDGER');
    expectRefusal(
      await home.get(exchange.query(signedRead(ids.home)), { 'x-ledger-id': ids.foreign }),
      'VALIDATION_FAILED',
    );
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
  ])('%s', async (path, name, request) => {
    const address = `/api/${path}`;
    const { by, fields } = request();
    const body = by.sign(name, { ...fields, ledgerId: ids.home });
    const answer = await home.post(address, body);
    expect([answer.status, answer.body.code]).toEqual([200, undefined]);
    expectRefusal(await foreign.post(address, body), 'WRONG_LEDGER');
    expectRefusal(await strict.post(address, by.sign(name, fields)), 'VALIDATION_FAILED');
  });

  test('a recovery request, which may be unsigned', async () => {
    const { holder } = await guardiansOf(home).guarded();
    const next = newPerson();
    const path = '/api/relayer/beo/request-recovery';
    const fields = { beoId: holder.id, newPublicKey: next.publicKey };
    const body = next.sign('requestRecovery', { ...fields, ledgerId: ids.home });
    expect((await home.post(path, body)).status).toBe(200);
    expectRefusal(await foreign.post(path, body), 'WRONG_LEDGER');
    expectRefusal(await strict.post(path, next.sign('requestRecovery', fields)), 'VALIDATION_FAILED');
    expectRefusal(await strict.post(path, fields), 'BEO_NOT_FOUND');
    // With a ledgerId the request counts as signed, so the nonce is required.
    expectRefusal(await home.post(path, { ...fields, ledgerId: ids.home }), 'NONCE_REQUIRED');
  });
});

test('CORS allows the X-Ledger-Id header', async () => {
  const { headers } = await home.request('/api/exchange/records', { method: 'OPTIONS' });
  expect(headers.get('access-control-allow-headers')).toContain('X-Ledger-Id');
});
