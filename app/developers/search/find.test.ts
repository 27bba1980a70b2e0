import { expect, test } from 'vitest';
import { describedApi } from '../../../server/http/openapi/described.ts';
import { find, indexOf } from './find.ts';

const index = indexOf(describedApi());
const names = (typed: string) => find(index, typed).hits.map(({ kind, name }) => `${kind} ${name}`);

test('requests, fields and error codes are found by the beginnings of their words', () => {
  expect(names('grant consent')).toContain('request Grant a consent');
  expect(names('/api/ledger')).toEqual(expect.arrayContaining([expect.stringMatching(/^request /)]));
  expect(names('NONCE_TOO_SHORT')[0]).toBe('error NONCE_TOO_SHORT');
  expect(names('taken domain')).toContain('error DOMAIN_TAKEN');
  expect(names('expiresInDays')[0]).toBe('field expiresInDays');
  expect(names('expires days')).toContain('field expiresInDays');
  expect(names('server_time').every((name) => name.includes('server_time'))).toBe(true);
});

test('a field leads to its row, and what is not there is not found', () => {
  const [hit] = find(index, 'expiresInDays').hits;
  expect(hit).toMatchObject({ href: '/developers/grantConsent#request-expiresInDays' });
  for (const typed of ['', '  ', '?', 'no such thing', '\u0000', 'x'.repeat(10_000)]) expect(names(typed)).toEqual([]);
});
