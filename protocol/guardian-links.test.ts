import { expect, test } from 'vitest';
import { apiLink, shortened, shortLink, unshortened } from './guardian-links.ts';

const SITE = 'https://id.example';
const TOKEN = 'A-b_'.repeat(10).concat('xyz');

test('a link has an address of the API and a short one', () => {
  expect(apiLink(SITE, 'invitation', TOKEN)).toBe(`${SITE}/api/guardian/accept/${TOKEN}`);
  expect(apiLink(SITE, 'recovery', TOKEN)).toBe(`${SITE}/api/guardian/confirm-recovery/${TOKEN}`);
  expect(shortLink(SITE, 'invitation', TOKEN)).toBe(`${SITE}/g/${TOKEN}`);
  expect(shortLink(SITE, 'recovery', TOKEN)).toBe(`${SITE}/r/${TOKEN}`);
});

test('each address gives the other', () => {
  for (const kind of ['invitation', 'recovery'] as const) {
    const short = shortLink(SITE, kind, TOKEN);
    expect(shortened(apiLink(SITE, kind, TOKEN))).toBe(short);
    expect(shortened(short)).toBe(short);
    expect(`/api${unshortened(shortLink('', kind, TOKEN))}`).toBe(apiLink('', kind, TOKEN));
  }
  for (const path of ['/g', '/guardian', '/me/g/x', `/api/g/${TOKEN}`]) expect(unshortened(path)).toBe(path);
});
