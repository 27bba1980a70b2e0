import { describe, expect, test } from 'vitest';
import { consentsIn } from './consents.ts';
import { requestIn } from './request-recovery.ts';

const answer = (body: object) => ({ ok: true, body: JSON.parse(JSON.stringify(body)) }) as const;

describe('an answer to a request for recovery', () => {
  const url = `https://example.org/api/guardian/confirm-recovery/${'a'.repeat(43)}`;
  const body = {
    request_id: 'r',
    expires_at: '2026-02-03T12:00:00.000Z',
    links: [
      { role: 'primary', url },
      { role: 'primary', url: `${url}b` },
    ],
  };

  test('is the request and its links, two of one role included', () => {
    const links = body.links;
    expect(requestIn(answer(body))).toEqual({ requestId: 'r', expiresAt: body.expires_at, links });
  });

  test('is none with a link that leads elsewhere, or of no role that we know, or without links', () => {
    for (const link of [{ role: 'primary', url: 'javascript:alert(1)' }, { role: 'x', url }, null]) {
      expect(requestIn(answer({ ...body, links: [link] }))).toBe(null);
    }
    expect(requestIn(answer({ ...body, links: [] }))).toBe(null);
    expect(requestIn(answer({}))).toBe(null);
  });
});

describe('the consents to look through', () => {
  const token = {
    token_id: 'tok_1',
    ieo_domain: 'lab.bsp',
    granted_at: '2026-01-01T00:00:00.000Z',
    expires_at: null,
    scope: { intents: ['READ_RECORDS', 'SUBMIT_RECORD'], categories: ['*'] },
    status: 'ACTIVE',
  };

  test('are those in force', () => {
    const tokens = [token, { ...token, status: 'REVOKED' }, { ...token, status: 'EXPIRED' }];
    expect(consentsIn(answer({ tokens }))).toEqual([
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

  test('are none in an answer of another form', () => {
    expect(consentsIn(answer({ tokens: 7 }))).toEqual([]);
    expect(consentsIn(answer({ tokens: [null, { status: 'ACTIVE' }] }))).toEqual([]);
  });
});
