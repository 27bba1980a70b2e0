import { describe, expect, test } from 'vitest';
import { consentsIn } from './read-consents.ts';
import { requestIn } from './request-recovery.ts';

describe('the response to a request for recovery', () => {
  const url = `https://example.org/api/guardian/confirm-recovery/${'a'.repeat(43)}`;
  const body = {
    request_id: 'r',
    expires_at: '2026-02-03T12:00:00.000Z',
    links: [
      { role: 'primary', url },
      { role: 'primary', url: `${url}b` },
    ],
  };

  test('is parsed into the request and its links, also with two links of one role', () => {
    const links = body.links;
    expect(requestIn(body)).toEqual({ requestId: 'r', expiresAt: body.expires_at, links });
  });

  test('is null with a link to another address, an unknown role, or no links', () => {
    for (const link of [
      { role: 'primary', url: 'javascript:alert(1)' },
      { role: 'x', url },
    ]) {
      expect(requestIn({ ...body, links: [link] })).toBe(null);
    }
    expect(requestIn({ ...body, links: [] })).toBe(null);
  });
});

describe('the consents in a response', () => {
  const token: Parameters<typeof consentsIn>[0]['tokens'][number] = {
    token_id: 'tok_1',
    ieo_domain: 'lab.bsp',
    granted_at: '2026-01-01T00:00:00.000Z',
    expires_at: null,
    scope: { intents: ['READ_RECORDS', 'SUBMIT_RECORD'], categories: ['*'] },
    status: 'ACTIVE',
  };

  test('are only those in force', () => {
    const tokens = [token, { ...token, status: 'REVOKED' as const }, { ...token, status: 'EXPIRED' as const }];
    expect(consentsIn({ tokens })).toEqual([
      {
        tokenId: 'tok_1',
        domain: 'lab.bsp',
        intents: ['SUBMIT_RECORD', 'READ_RECORDS'],
        categories: ['*'],
        grantedAt: token.granted_at,
        expiresAt: null,
      },
    ]);
  });
});
