import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDomain, newPerson, startTestService, type TestService } from '../../test-service.ts';
import { ask } from './test-requests.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const person = newPerson();
const creation = () => person.sign('createBEO', { domain: freshDomain(), publicKey: person.publicKey, recovery: null });
const created = async (path = '/api/relayer/beo') => ask(service.url, { method: 'POST', path, body: creation() });

/** Every spelling of a path that has to be the same one. */
const spellings = (path: string) => [
  `${path}/`,
  `${path}///`,
  `/${path}`,
  path.replaceAll('/', '//'),
  path.replace('a', '%61').replace('.', '%2e'),
];

test('a read is the same with repeated slashes, one at the end, and characters encoded without need', async () => {
  const { beo_id, domain } = (await created()).body;
  for (const path of [
    `/api/beos/${beo_id}`,
    `/api/beos/domain/${domain}`,
    '/api/ieos',
    '/api/ledger/entries',
    '/ready',
  ]) {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'POST']) {
      const { status } = await ask(service.url, { method, path });
      for (const same of spellings(path)) {
        expect([method, same, (await ask(service.url, { method, path: same })).status]).toEqual([method, same, status]);
      }
    }
  }
  expect((await ask(service.url, { path: `//api/beos/${beo_id}/` })).body.beo.beo_id).toBe(beo_id);
});

test('a write is the same too, and what it signs of the path is what the path names', async () => {
  for (const path of spellings('/api/relayer/beo')) expect([path, (await created(path)).status]).toEqual([path, 201]);
  const own = (await created()).body;
  const scope = { intents: ['READ_RECORDS'], categories: ['*'] };
  const grant = { beoId: own.beo_id, ieoId: own.beo_id, scope, expiresInDays: null };
  const body = person.sign('grantConsent', grant);
  const { token } = (await ask(service.url, { method: 'POST', path: '/api/relayer/consent/', body })).body;
  const revoked = await ask(service.url, {
    method: 'DELETE',
    path: `/api//consent/${token.token_id}/`,
    body: person.sign('revokeToken', { tokenId: token.token_id }),
  });
  expect([revoked.status, revoked.body.token_id]).toEqual([200, token.token_id]);
});

test('nothing is below an address that takes nothing more, whatever the slashes', async () => {
  for (const path of ['/api/ledger/entries//more', '/health//x/', '/api/beos//', '/api/consent///']) {
    expect([path, (await ask(service.url, { path })).status]).toEqual([path, 404]);
  }
});
