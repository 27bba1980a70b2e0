import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../../protocol/errors.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { wholeChain } from '../../ledger/test-chain.ts';
import {
  freshDomain,
  newPerson,
  type Person,
  type SignedBody,
  startTestService,
  type TestService,
} from '../../testing/test-service.ts';
import { expectRefusal } from './test-refusal.ts';

let service: TestService;
let holder: Person;
let beoId: string;
let domain: string;
let destroyed: { person: Person; beoId: string };

beforeAll(async () => {
  service = await startTestService();
  destroyed = await created();
  expect((await act('destroy', destroyed.person.sign('destroyBEO', { beoId: destroyed.beoId }))).status).toBe(200);
  ({ person: holder, beoId, domain } = await created());
});
afterAll(() => service.stop());

const act = (path: string, body: unknown) => service.post(`/api/relayer/beo${path ? `/${path}` : ''}`, body);
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

async function created() {
  const person = newPerson();
  const domain = freshDomain();
  const answer = await act('', person.sign('createBEO', { domain, publicKey: person.publicKey, recovery: null }));
  expect(answer.status).toBe(201);
  return { person, beoId: answer.body.beo_id as string, domain };
}

/** A valid createBEO with the given changes. */
function creation(
  changed: Record<string, Json> = {},
  envelope: { nonce?: string; timestamp?: string } = {},
): SignedBody {
  const person = newPerson();
  const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: null, ...changed };
  return person.sign('createBEO', fields, envelope);
}

function without(body: SignedBody, field: string): Record<string, Json> {
  const { [field]: _, ...rest } = body;
  return rest;
}

const guardian = { name: 'A', contact: 'a@b.example', role: 'primary' };
const guardians = (...list: Json[]) => ({ recovery: { guardians: list } });

const REFUSED: [ErrorCode, string, () => [path: string, body: Json]][] = [
  ['VALIDATION_FAILED', 'a missing field', () => ['', without(creation(), 'domain')]],
  ['VALIDATION_FAILED', 'no recovery, which must be present as null', () => ['', without(creation(), 'recovery')]],
  ['VALIDATION_FAILED', 'an unknown field', () => ['', creation({ admin: true })]],
  [
    'VALIDATION_FAILED',
    'a field of another operation',
    () => ['lock', holder.sign('lockBEO', { beoId, newPublicKey: holder.publicKey })],
  ],
  ['VALIDATION_FAILED', 'a number as domain', () => ['', creation({ domain: 1e30 })]],
  ['VALIDATION_FAILED', 'an array as key', () => ['', creation({ publicKey: [] })]],
  ['VALIDATION_FAILED', 'a string as recovery', () => ['', creation({ recovery: 'none' })]],
  ['VALIDATION_FAILED', 'recovery without guardians', () => ['', creation({ recovery: {} })]],
  ['VALIDATION_FAILED', 'four guardians', () => ['', creation(guardians(guardian, guardian, guardian, guardian))]],
  ['VALIDATION_FAILED', 'a repeated role', () => ['', creation(guardians(guardian, guardian))]],
  ['VALIDATION_FAILED', 'a role that does not exist', () => ['', creation(guardians({ ...guardian, role: 'fourth' }))]],
  ['VALIDATION_FAILED', 'a guardian without a name', () => ['', creation(guardians({ ...guardian, name: ' ' }))]],
  [
    'VALIDATION_FAILED',
    'a name of 81 characters',
    () => ['', creation(guardians({ ...guardian, name: 'n'.repeat(81) }))],
  ],
  [
    'VALIDATION_FAILED',
    'a contact of 201 characters',
    () => ['', creation(guardians({ ...guardian, contact: 'c'.repeat(201) }))],
  ],
  ['VALIDATION_FAILED', 'a nonce of 129 characters', () => ['', creation({}, { nonce: 'n'.repeat(129) })]],
  [
    'VALIDATION_FAILED',
    'a reason of 501 characters',
    () => ['lock', { ...holder.sign('lockBEO', { beoId }), reason: 'r'.repeat(501) }],
  ],
  ['VALIDATION_FAILED', 'an invalid id', () => ['lock', holder.sign('lockBEO', { beoId: 'me' })]],
  [
    'VALIDATION_FAILED',
    'a domain of another suffix as id',
    () => ['lock', holder.sign('lockBEO', { beoId: 'me.example' })],
  ],
  ['VALIDATION_FAILED', 'a string as the body', () => ['', 'createBEO' as Json]],
  ['VALIDATION_FAILED', 'an array as the body', () => ['', [creation()]]],
  ['VALIDATION_FAILED', 'null as the body', () => ['', null]],
  ['NONCE_REQUIRED', 'no nonce', () => ['', without(creation(), 'nonce')]],
  ['NONCE_REQUIRED', 'an empty nonce', () => ['', creation({}, { nonce: '' })]],
  ['NONCE_TOO_SHORT', 'a nonce of 15 characters', () => ['', creation({}, { nonce: 'n'.repeat(15) })]],
  ['TIMESTAMP_INVALID', 'no timestamp', () => ['', without(creation(), 'timestamp')]],
  ['TIMESTAMP_INVALID', 'a timestamp without a zone', () => ['', creation({}, { timestamp: '2026-01-31T12:00:00' })]],
  ['TIMESTAMP_INVALID', 'a day that does not exist', () => ['', creation({}, { timestamp: '2026-02-30T12:00:00Z' })]],
  ['TIMESTAMP_TOO_OLD', 'a timestamp 5 minutes and 10 seconds old', () => ['', creation({}, { timestamp: ago(310) })]],
  ['TIMESTAMP_IN_FUTURE', 'a timestamp 40 seconds ahead', () => ['', creation({}, { timestamp: ago(-40) })]],
  ['PUBLIC_KEY_INVALID', 'a key of 63 characters', () => ['', creation({ publicKey: 'a'.repeat(63) })]],
  ['PUBLIC_KEY_INVALID', 'the identity point as key', () => ['', creation({ publicKey: `01${'00'.repeat(31)}` })]],
  [
    'PUBLIC_KEY_INVALID',
    'a rotation to a key of small order',
    () => ['rotate-key', holder.sign('rotateKey', { beoId, newPublicKey: `ec${'ff'.repeat(30)}7f` })],
  ],
  ['DOMAIN_INVALID', 'another suffix', () => ['', creation({ domain: 'anna.example' })]],
  ['DOMAIN_INVALID', 'only the suffix', () => ['', creation({ domain: '.bsp' })]],
  ['DOMAIN_INVALID', 'letters beyond ASCII', () => ['', creation({ domain: 'änna.bsp' })]],
  ['DOMAIN_INVALID', 'a letter whose lower case is ASCII', () => ['', creation({ domain: 'anna\u212A.bsp' })]],
  ['DOMAIN_INVALID', 'a dash at the end', () => ['', creation({ domain: 'anna-.bsp' })]],
  ['DOMAIN_INVALID', '65 characters', () => ['', creation({ domain: `${'a'.repeat(30)}.${'b'.repeat(30)}.bsp` })]],
  ['DOMAIN_RESERVED', 'a reserved word', () => ['', creation({ domain: 'Admin.bsp' })]],
  ['DOMAIN_RESERVED', 'a reserved word as a label', () => ['', creation({ domain: 'my.registry.bsp' })]],
  [
    'RECOVERY_THRESHOLD_INVALID',
    'a threshold of 1',
    () => ['', creation({ recovery: { guardians: [guardian], threshold: 1 } })],
  ],
  ['SIGNATURE_MISSING', 'no signature', () => ['', without(creation(), 'signature')]],
  ['SIGNATURE_MISSING', 'an empty signature', () => ['', { ...creation(), signature: '' }]],
  ['INVALID_SIGNATURE', 'a signature that is a number', () => ['', { ...creation(), signature: 7 }]],
  ['INVALID_SIGNATURE', 'another person’s signature', () => ['lock', newPerson().sign('lockBEO', { beoId })]],
  ['BEO_NOT_FOUND', 'an unknown id', () => ['lock', holder.sign('lockBEO', { beoId: randomUUID() })]],
  [
    'BEO_NOT_FOUND',
    'a transaction that does not exist',
    () => ['lock', holder.sign('lockBEO', { beoId: 'A'.repeat(43) })],
  ],
  [
    'BEO_DESTROYED',
    'a destroyed identity',
    () => ['lock', destroyed.person.sign('lockBEO', { beoId: destroyed.beoId })],
  ],
  ['DOMAIN_TAKEN', 'a taken domain', () => ['', creation({ domain })]],
  ['DOMAIN_TAKEN', 'a taken domain in upper case', () => ['', creation({ domain: domain.toUpperCase() })]],
  [
    'PUBLIC_KEY_TAKEN',
    'a guardian with the holder’s key',
    () => {
      const key = newPerson();
      const fields = {
        domain: freshDomain(),
        publicKey: key.publicKey,
        ...guardians({ ...guardian, public_key: key.publicKey }),
      };
      return ['', key.sign('createBEO', fields)];
    },
  ],
  [
    'KEY_UNCHANGED',
    'a rotation to the same key',
    () => ['rotate-key', holder.sign('rotateKey', { beoId, newPublicKey: holder.publicKey.toUpperCase() })],
  ],
  ['NOT_LOCKED', 'an unlocked identity to unlock', () => ['unlock', holder.sign('unlockBEO', { beoId })]],
];

describe('a write is refused', () => {
  test.each(REFUSED)('with %s for %s', async (code, _, request) => {
    const [path, body] = request();
    expectRefusal(await act(path, JSON.stringify(body)), code);
  });

  test('with every invalid field', async () => {
    const { body } = await act('', { ...without(creation(), 'domain'), extra: 1, publicKey: 5 });
    expect(body.code).toBe('VALIDATION_FAILED');
    expect(body.details.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
      'domain',
      'extra',
      'publicKey',
    ]);
    for (const issue of body.details.issues) expect(Object.keys(issue)).toEqual(['path', 'message']);
  });

  test('with NONCE_REUSED and the first transaction if it is repeated, even after an error', async () => {
    const body = creation();
    const first = await act('', body);
    const repeated = await act('', body);
    expectRefusal(repeated, 'NONCE_REUSED');
    expect(repeated.body.details).toEqual({ transactionId: first.body.transactionId });

    const refused = holder.sign('unlockBEO', { beoId });
    expectRefusal(await act('unlock', refused), 'NOT_LOCKED');
    expectRefusal(await act('unlock', refused), 'NONCE_REUSED');
  });

  test('without using its nonce, if the signature or the timestamp is wrong', async () => {
    const nonce = randomUUID();
    expectRefusal(await act('lock', newPerson().sign('lockBEO', { beoId }, { nonce })), 'INVALID_SIGNATURE');
    expectRefusal(
      await act('lock', holder.sign('lockBEO', { beoId }, { nonce, timestamp: ago(400) })),
      'TIMESTAMP_TOO_OLD',
    );
    expect((await act('lock', holder.sign('lockBEO', { beoId }, { nonce }))).status).toBe(200);
    expectRefusal(await act('lock', holder.sign('lockBEO', { beoId })), 'ALREADY_LOCKED');
    expect((await act('unlock', holder.sign('unlockBEO', { beoId }))).status).toBe(200);
  });

  test('for the first reason in the order of the protocol', async () => {
    const stale = { timestamp: ago(400) };
    const unknown = randomUUID();
    expectRefusal(
      await act('lock', { ...holder.sign('lockBEO', { beoId: unknown }, stale), x: 1 }),
      'VALIDATION_FAILED',
    );
    expectRefusal(await act('lock', holder.sign('lockBEO', { beoId: unknown }, stale)), 'TIMESTAMP_TOO_OLD');
    expectRefusal(await act('lock', newPerson().sign('lockBEO', { beoId: unknown })), 'BEO_NOT_FOUND');
    expectRefusal(await act('lock', newPerson().sign('lockBEO', { beoId: destroyed.beoId })), 'BEO_DESTROYED');
    const used = holder.sign('unlockBEO', { beoId });
    expectRefusal(await act('unlock', used), 'NOT_LOCKED');
    expectRefusal(
      await act('unlock', { ...used, signature: newPerson().sign('unlockBEO', { beoId }).signature }),
      'INVALID_SIGNATURE',
    );
    expectRefusal(await act('unlock', used), 'NONCE_REUSED');
  });

  test('but not at the limits', async () => {
    const nonces = [
      'n'.repeat(15) + Math.random().toString(36).slice(2, 3),
      randomUUID().repeat(3).slice(0, 100).padEnd(128, 'x'),
    ];
    for (const nonce of nonces) expect((await act('', creation({}, { nonce }))).status).toBe(201);
    for (const timestamp of [ago(290), ago(-20), `${ago(0).slice(0, 19)}+00:00`]) {
      expect((await act('', creation({}, { timestamp }))).status).toBe(201);
    }
    const long = `${'a'.repeat(20)}.${domain}`.padStart(64, 'b');
    expect(long).toHaveLength(64);
    expect((await act('', creation({ domain: long }))).status).toBe(201);
  });
});

describe('a read is refused', () => {
  test.each<[ErrorCode, string]>([
    ['BEO_NOT_FOUND', '/api/beos/8e47a4af-eca8-5d3f-a3ec-693a4bbf875b'],
    ['BEO_NOT_FOUND', `/api/beos/${'A'.repeat(43)}`],
    ['BEO_NOT_FOUND', '/api/beos/unknown.bsp'],
    ['BEO_NOT_FOUND', '/api/beos/domain/unknown.bsp'],
    ['VALIDATION_FAILED', '/api/beos/unknown'],
    ['VALIDATION_FAILED', '/api/beos/%00'],
    ['VALIDATION_FAILED', '/api/beos/unknown.example'],
    ['VALIDATION_FAILED', '/api/beos/unknown.bsp?full=1'],
    ['DOMAIN_INVALID', '/api/beos/domain/unknown.example'],
    ['DOMAIN_INVALID', '/api/beos/domain/%C3%A4.bsp'],
    ['DOMAIN_INVALID', '/api/beos/domain/a%00.bsp'],
    ['DOMAIN_INVALID', `/api/beos/domain/${'a'.repeat(5_000)}.bsp`],
    ['IEO_NOT_FOUND', '/api/ieos/8e47a4af-eca8-5d3f-a3ec-693a4bbf875b'],
    ['IEO_NOT_FOUND', `/api/ieos/${'A'.repeat(43)}`],
    ['IEO_NOT_FOUND', '/api/ieos/unknown.bsp'],
    ['IEO_NOT_FOUND', '/api/ieos/domain/unknown.bsp'],
    ['IEO_NOT_FOUND', '/api/ieos/unknown.bsp/certification'],
    ['VALIDATION_FAILED', '/api/ieos/unknown'],
    ['VALIDATION_FAILED', '/api/ieos/unknown.example/certification'],
    ['VALIDATION_FAILED', '/api/ieos/tok_8e47a4af-eca8-5d3f-a3ec-693a4bbf875b'],
    ['VALIDATION_FAILED', '/api/ieos/unknown.bsp?full=1'],
    ['DOMAIN_INVALID', '/api/ieos/domain/unknown.example'],
    ['DOMAIN_INVALID', '/api/ieos/domain/8e47a4af-eca8-5d3f-a3ec-693a4bbf875b'],
    ['VALIDATION_FAILED', `/api/consent/${'A'.repeat(43)}?intent=ALL`],
    ['VALIDATION_FAILED', `/api/consent/${'A'.repeat(43)}?category=BSP-ZZ`],
    ['VALIDATION_FAILED', `/api/consent/${'A'.repeat(43)}?category=*`],
    ['VALIDATION_FAILED', `/api/consent/${'A'.repeat(43)}?intent=READ_RECORDS&intent=READ_RECORDS`],
    ['BEO_NOT_FOUND', '/api/consent/history/unknown.bsp'],
    ['VALIDATION_FAILED', '/api/consent/history/unknown'],
    ['TRANSACTION_NOT_FOUND', `/api/transactions/${'A'.repeat(43)}`],
  ])('with %s: GET %s', async (code, path) => {
    expectRefusal(await service.get(path), code);
  });
});

test('an internal error returns the request id and no details', async () => {
  const { pool } = service.service.context;
  await pool.query('ALTER TABLE names RENAME TO names_renamed');
  const headers = { 'x-request-id': 'support-case-17' };
  const write = await service.post('/api/relayer/beo', creation(), headers);
  const read = await service.get('/api/beos/domain/unknown.bsp', headers);
  await pool.query('ALTER TABLE names_renamed RENAME TO names');
  for (const answer of [write, read]) {
    expectRefusal(answer, 'INTERNAL');
    expect(answer.body).toEqual({ error: ERRORS.INTERNAL[1], code: 'INTERNAL', request_id: 'support-case-17' });
  }
  expect((await act('', creation())).status).toBe(201);
  await wholeChain(pool);
});
