import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDomain, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { testModel } from '../openapi/test-document.ts';
import { ROUTES } from './routes.ts';
import { rawRequest } from './test-requests.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const person = newPerson();
const creation = () => person.sign('createBEO', { domain: freshDomain(), publicKey: person.publicKey, recovery: null });
const created = async (path = '/api/relayer/beo') =>
  rawRequest(service.url, { method: 'POST', path, body: creation() });

/** Notations that are equivalent to a path. */
const variants = (path: string) => [
  `${path}/`,
  `${path}///`,
  `/${path}`,
  path.replaceAll('/', '//'),
  path.replace('a', '%61').replace('.', '%2e'),
];

test('reads accept repeated slashes, trailing slashes and needless percent-encoding', async () => {
  const { beo_id, domain } = (await created()).body;
  for (const path of [
    `/api/beos/${beo_id}`,
    `/api/beos/domain/${domain}`,
    '/api/ieos',
    '/api/ledger/entries',
    '/ready',
  ]) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
      const { status } = await rawRequest(service.url, { method, path });
      for (const variant of variants(path)) {
        const answer = await rawRequest(service.url, { method, path: variant });
        expect([method, variant, answer.status]).toEqual([method, variant, status]);
      }
    }
  }
  expect((await rawRequest(service.url, { path: `//api/beos/${beo_id}/` })).body.beo.beo_id).toBe(beo_id);
});

test('writes do too, and a signed path parameter is the decoded one', async () => {
  for (const path of variants('/api/relayer/beo')) expect([path, (await created(path)).status]).toEqual([path, 201]);
  const { beo_id: beoId } = (await created()).body;
  const scope = { intents: ['READ_RECORDS'], categories: ['*'] };
  const grant = { beoId, ieoId: beoId, scope, expiresInDays: null };
  const body = person.sign('grantConsent', grant);
  const { token } = (await rawRequest(service.url, { method: 'POST', path: '/api/relayer/consent/', body })).body;
  const revoked = await rawRequest(service.url, {
    method: 'DELETE',
    path: `/api//consent/${token.token_id}/`,
    body: person.sign('revokeToken', { tokenId: token.token_id }),
  });
  expect([revoked.status, revoked.body.token_id]).toEqual([200, token.token_id]);
});

test('a path parameter that is ambiguous or not UTF-8 is VALIDATION_FAILED at every address, as the document says', async () => {
  const withParameters = ROUTES.filter(({ path }) => /\/[:*]/.test(path));
  expect(withParameters.length).toBeGreaterThan(20);
  for (const { method, path } of withParameters) {
    for (const value of ['%2F', 'a%2fb', '%2E', '%2e%2E', '%5C', '%E0%A4%A', '%ZZ', '%C3', '%252F']) {
      const request = { method, path: path.replace(/[:*]\w+/g, value), body: method === 'GET' ? undefined : {} };
      const { status, body } = await rawRequest(service.url, request);
      expect([request.path, status, body.code]).toEqual([request.path, 400, 'VALIDATION_FAILED']);
      expect(body.error).toMatch(/^The path of this address cannot be read safely/);
    }
    const documented = testModel().operations.filter(
      (operation) => operation.path === path.replace(/[:*](\w+)/g, '{$1}'),
    );
    for (const { errors } of documented) expect(errors.map(({ code }) => code)).toContain('VALIDATION_FAILED');
  }
});

test('paths with additional segments do not exist', async () => {
  for (const path of ['/api/ledger/entries//more', '/health//x/', '/api/beos//', '/api/consent///']) {
    expect([path, (await rawRequest(service.url, { path })).status]).toEqual([path, 404]);
  }
});
