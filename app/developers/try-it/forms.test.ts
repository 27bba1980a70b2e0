import { createPublicKey, hash, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { targetOf } from '../../../client/http.ts';
import { generateKey } from '../../../client/keys.ts';
import { describedApi } from '../../../server/http/openapi/described.ts';
import { startTestService, type TestService } from '../../../server/testing/test-service.ts';
import { exampleRequest } from '../snippets/example-request.ts';
import { beginningBody, beginningParameters } from './beginning.ts';
import { type Entered, type Prepared, prepare } from './request.ts';
import { type TryTarget, tryTarget } from './target.ts';

const { operations } = describedApi();
const TARGETS = operations.map(
  (operation) => [operation.id, tryTarget(operation, exampleRequest(operation, operations))] as const,
);
const targetOfId = (id: string): TryTarget => {
  const found = TARGETS.find(([one]) => one === id)?.[1];
  if (!found) throw new Error(`There is no request ${id}.`);
  return found;
};

const session = { key: generateKey(), ids: {} };
let service: TestService;
let ledgerId: string;

beforeAll(async () => {
  service = await startTestService({ LEDGER_ID_REQUIRED: 'true' });
  ledgerId = (await service.get('/api/ledger')).body.ledger_id;
});
afterAll(() => service.stop());

const beginning = (target: TryTarget): Entered => ({
  body: beginningBody(target, session, 'bsp'),
  parameters: beginningParameters(target, session),
});

const prepared = (target: TryTarget, entered = beginning(target)): Promise<Prepared> =>
  prepare(target, entered, { key: session.key, ledgerId, now: Date.now() });

const send = ({ request }: Prepared) =>
  service.request(targetOf(request), {
    method: request.method,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
  });

/** Node's own verifier, over the message as it is shown. */
const isSignedBy = (publicKey: string, message: string, signature: string): boolean => {
  const x = Buffer.from(publicKey, 'hex').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(message), key, Buffer.from(signature, 'base64'));
};

/** What a stranger's request may be refused for, besides what the form of the request would be refused for. */
const OF_A_STRANGER = /(^|_)NOT_FOUND$|^INSTITUTE_KEY_MISSING$|^TOKEN_/;

describe('the form as it opens', () => {
  test.each(TARGETS)('%s is sent in the documented form and signed', async (_, target) => {
    const request = await prepared(target);
    if (target.signed) {
      const { message = '', signature = '' } = request.signed ?? {};
      expect(isSignedBy(session.key.publicKey, message, signature)).toBe(true);
    }
    const { status, body } = await send(request);
    if (status >= 400) expect([status, body.code]).toEqual([status, expect.stringMatching(OF_A_STRANGER)]);
  });

  test('creates an identity and an institution', async () => {
    for (const id of ['createBEO', 'createIEO']) {
      expect(await send(await prepared(targetOfId(id)))).toMatchObject({ status: 201 });
    }
  });

  test('has a body or parameters for every field, and asks for no signature and no key of the institute', () => {
    for (const [id, { body, parameters }] of TARGETS) {
      const operation = operations.find((one) => one.id === id);
      const names = [...Object.keys(body ?? {}), ...parameters.map(({ name }) => name)];
      expect([id, names.filter((name) => /signature|nonce|timestamp|institute/i.test(name))]).toEqual([id, []]);
      const required =
        operation?.fields.filter(({ required: isRequired, in: place }) => isRequired && place !== 'header') ?? [];
      const missing = required.filter(({ name }) => !names.includes(name) && !(name in (operation?.takes ?? {})));
      expect([
        id,
        missing.map(({ name }) => name).filter((name) => !/^(signature|nonce|timestamp)$/.test(name)),
      ]).toEqual([id, []]);
    }
  });
});

describe('what is entered', () => {
  const create = targetOfId('createBEO');
  const problemOf = (body: string, target = create, parameters = {}): Promise<string> =>
    prepared(target, { body, parameters }).then(
      () => 'none',
      (error: Error) => error.message,
    );
  const fields = { domain: 'a.bsp', publicKey: session.key.publicKey, recovery: null };

  test('is signed as it stands, also members that the service refuses', async () => {
    const { signed } = await prepared(create, { body: JSON.stringify({ ...fields, color: 'é' }), parameters: {} });
    expect(JSON.parse(signed?.message ?? '')).toMatchObject({ function: 'createBEO', color: 'é', ledgerId });
    expect(hash('sha256', signed?.message ?? '')).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['{', 'not JSON'],
    ['[]', 'must be a JSON object'],
    ['{"a":{"b":1,"b":2}}', 'a.b is there twice'],
    ['{"nonce":"x"}', 'nonce is set by the client'],
    ['{"a":"\\ud800"}', 'half of a surrogate pair'],
    ['{"privateKey":"x"}', 'privateKey is named like a secret'],
    ['{"a":[{"seed":"x"}]}', 'a.seed is named like a secret'],
    ['{"a":"-----BEGIN PRIVATE KEY-----"}', 'a contains a private key'],
    [`{"a":"${'abandon '.repeat(11)}about"}`, 'a looks like recovery words'],
    [`{"publicKey":"${'01'.repeat(32)}"}`, 'publicKey is not an Ed25519 public key'],
    [`{"recovery":{"guardians":[{"public_key":"${'01'.repeat(32)}"}]}}`, 'it may be a secret one'],
  ])('%s is not sent', async (body, words) => {
    expect(await problemOf(body)).toContain(words);
  });

  test('must fill the address', async () => {
    expect(await problemOf('{}', targetOfId('revokeToken'))).toBe('tokenId is part of the address: enter a text.');
    expect(await problemOf('', targetOfId('getBeosByBeoId'), { beoId: '' })).toContain('beoId is part of the address');
    expect(await problemOf('', targetOfId('getBeosByBeoId'), { beoId: 'abandon '.repeat(12) })).toContain(
      'recovery words',
    );
    const { request } = await prepared(targetOfId('getBeosByBeoId'), { body: '', parameters: { beoId: 'a/b?c' } });
    expect(targetOf(request)).toBe('/api/beos/a%2Fb%3Fc');
  });
});
