import { afterAll, beforeAll, expect, it } from 'vitest';
import { ACCEPT_JSON, guardiansOf, pathOf } from '../features/guardians/test-guardians.ts';
import {
  ACCESS,
  type ConsentParties,
  EXPORT,
  type Exchange,
  exchangeOf,
  measurement,
  SUBMIT,
} from '../features/records/test-exchange.ts';
import { expectRefusal, messageDigest } from '../http/rest/test-refusal.ts';
import { createCaller } from '../http/trpc/router.ts';
import { publicError } from '../http/trpc/trpc-errors.ts';
import { newPerson, type SignedBody, startTestService, type TestService } from '../testing/test-service.ts';

/** INVALID_SIGNATURE contains the digest of the verified message, for comparison by client authors. Protocol §1. */
let service: TestService;
let exchange: Exchange;
let use: ConsentParties;

beforeAll(async () => {
  service = await startTestService();
  exchange = exchangeOf(service);
  use = await exchange.newConsent();
});

afterAll(() => service.stop());

const stranger = newPerson();
const expected = (functionName: string, body: SignedBody, key: string) => ({
  expected_key: key,
  message_sha256: messageDigest(functionName, body),
});

it('reports the message of every operation signed with a wrong key', async () => {
  const { holder, by, tokenId } = use;
  const grant = {
    beoId: holder.id,
    ieoId: by.id,
    scope: { intents: ['READ_RECORDS'], categories: ['*'] },
    expiresInDays: 1,
  };
  const posts = [
    [
      '/api/relayer/beo',
      'createBEO',
      { domain: 'a.bsp', publicKey: newPerson().publicKey, recovery: null },
      'publicKey',
    ],
    ['/api/relayer/beo/lock', 'lockBEO', { beoId: holder.domain }, 'BEO'],
    ['/api/relayer/beo/revoke-all', 'revokeAllTokens', { beoId: holder.id }, 'BEO'],
    ['/api/relayer/consent', 'grantConsent', grant, 'BEO'],
    ['/api/ieo/lock', 'lockIEO', { ieoId: by.id }, 'IEO'],
    [
      '/api/relayer/beo/request-recovery',
      'requestRecovery',
      { beoId: holder.id, newPublicKey: newPerson().publicKey },
      'newPublicKey',
    ],
    [SUBMIT, 'submitRecords', { targetBeo: holder.id, consentToken: tokenId, records: [measurement()] }, 'grantee'],
    [EXPORT, 'sovereignExport', { targetBeo: holder.id, consentToken: tokenId, format: 'JSON' }, 'grantee'],
    [ACCESS, 'listAccess', { beoId: holder.id }, 'BEO'],
  ] as const;
  for (const [path, functionName, fields, key] of posts) {
    const body = stranger.sign(functionName, fields);
    const answer = await service.post(path, body);
    expectRefusal(answer, 'INVALID_SIGNATURE');
    expect(answer.body.details, path).toEqual(expected(functionName, body, key));
  }
});

it('reports it for a revocation, with a signed field in the path and an unsigned hint', async () => {
  const { tokenId: _, ...body } = stranger.sign('revokeToken', { tokenId: use.tokenId });
  const answer = await exchange.parties.erase(`/api/consent/${use.tokenId}`, { ...body, beoId: use.holder.id });
  expectRefusal(answer, 'INVALID_SIGNATURE');
  expect(answer.body.details).toEqual(expected('revokeToken', { ...body, tokenId: use.tokenId } as SignedBody, 'BEO'));
});

it('reports it for a read, without the unsigned filters', async () => {
  const body = stranger.sign('readRecords', { targetBeo: use.holder.id, consentToken: use.tokenId });
  const answer = await service.get(exchange.query(body, { limit: 1 }));
  expectRefusal(answer, 'INVALID_SIGNATURE');
  expect(answer.body.details).toEqual(expected('readRecords', body, 'grantee'));
});

it('reports it if a transition refuses a guardian’s key', async () => {
  const guardians = guardiansOf(service);
  const holder = await exchange.parties.newHolder();
  const bound = guardians.guardian('primary', { public_key: newPerson().publicKey });
  const { url } = (await guardians.configure(holder, { guardians: [bound] })).body.invitations[0];
  const link = await service.get(pathOf(url), ACCEPT_JSON);
  const body = guardians.acceptance(stranger, holder.id, link.body.invitation_id);
  const answer = await service.post(pathOf(url), body);
  expectRefusal(answer, 'INVALID_SIGNATURE');
  expect(answer.body.details).toEqual(expected('acceptGuardian', body, 'guardian'));
});

it('reports it if the signature is not a string', async () => {
  const body = { ...use.holder.person.sign('lockBEO', { beoId: use.holder.id }), signature: 7 };
  const answer = await service.post('/api/relayer/beo/lock', body);
  expectRefusal(answer, 'INVALID_SIGNATURE');
  expect(answer.body.details).toMatchObject({ message_sha256: messageDigest('lockBEO', body) });
});

it('reports it for a tRPC request', async () => {
  const body = stranger.sign('lockBEO', { beoId: use.holder.id });
  const caller = createCaller({ services: service.service.context, address: '192.0.2.1' });
  const failure: unknown = await caller.operate({ function: 'lockBEO', body }).catch((error: unknown) => error);
  expect(publicError(failure)).toMatchObject({ code: 'INVALID_SIGNATURE', details: expected('lockBEO', body, 'BEO') });
});

it('reports the setting that accepts a signature covering only the number of records', async () => {
  const countOnly = { targetBeo: use.holder.id, consentToken: use.tokenId, recordCount: 1 };
  const body = use.by.person.sign('submitRecords', countOnly);
  const answer = await service.post(SUBMIT, { ...body, records: [measurement()] });
  expectRefusal(answer, 'SIGNATURE_DOES_NOT_COVER_RECORDS');
  expect(answer.body.error).toContain('ACCEPT_COUNT_ONLY_SUBMISSIONS=true');
  expect(answer.body.details).toEqual({ setting: 'ACCEPT_COUNT_ONLY_SUBMISSIONS' });
});
