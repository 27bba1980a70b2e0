import { describe, expect, test } from 'vitest';
import { consentsIn } from './read-consents.ts';
import { requestIn } from './request-recovery.ts';

const response = (body: object) => ({ ok: true, body: JSON.parse(JSON.stringify(body)) }) as const;

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
    expect(requestIn(response(body))).toEqual({ requestId: 'r', expiresAt: body.expires_at, links });
  });

  test('is null with a link to another address, an unknown role, or no links', () => {
    for (const link of [{ role: 'primary', url: 'javascript:alert(1)' }, { role: 'x', url }, null]) {
      expect(requestIn(response({ ...body, links: [link] }))).toBe(null);
    }
    expect(requestIn(response({ ...body, links: [] }))).toBe(null);
    expect(requestIn(response({}))).toBe(null);
  });
});

describe('the consents in a response', () => {
  const token = {
    token_id: 'tok_1',
    ieo_domain: 'lab.bsp',
    granted_at: '2026-01-01T00:00:00.000Z',
    expires_at: null,
    scope: { intents: ['READ_RECORDS', 'SUBMIT_RECORD'], categories: ['*'] },
    status: 'ACTIVE',
  };

  test('are only those in force', () => {
    const tokens = [token, { ...token, status: 'REVOKED' }, { ...token, status: 'EXPIRED' }];
    expect(consentsIn(response({ tokens }))).toEqual([
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

  test('are none where the response is malformed', () => {
    expect(consentsIn(response({ tokens: 7 }))).toEqual([]);
    expect(consentsIn(response({ tokens: [null, { status: 'ACTIVE' }] }))).toEqual([]);
  });
});
