import { describe, expect, test } from 'vitest';
import type { BeoId } from '../ids.ts';
import {
  afterDays,
  at,
  consentGrant,
  LAB,
  ledgerWith,
  MARIA,
  requireEntity,
  setStatus,
} from '../operations/test-requests.ts';
import { afterRevocation, type RecordedRevocation, revocationCovers } from './revocation.ts';
import type { Token } from './token.ts';

describe('a revocation', () => {
  const all: RecordedRevocation = { beoId: MARIA as BeoId, at: at(9), seq: 50 };
  const granted = (): { token: Token; ledger: ReturnType<typeof ledgerWith> } => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant({ expiresInDays: 1 }), at(0));
    return { token: requireEntity(ledger, 'TOKEN'), ledger };
  };

  test('sets revokedAt and seq of a live token and changes no other member', () => {
    const { token, ledger } = granted();
    expect(afterRevocation(token, all, ledger.find('IEO', LAB))).toEqual({ ...token, revokedAt: at(9), seq: 50 });
  });

  test.each([
    ['has expired', { at: afterDays(1) }, {}],
    ['was revoked before', {}, { revokedAt: at(1) }],
    ['belongs to another holder', { beoId: 'other' as BeoId }, {}],
    ['was granted later', {}, { createdSeq: 51 }],
  ] as const)('skips a token that %s', (_, revocation, changes) => {
    const { token, ledger } = granted();
    const before = { ...token, ...changes };
    expect(afterRevocation(before, { ...all, ...revocation }, ledger.find('IEO', LAB))).toBe(before);
  });

  test('the first of several decides', () => {
    const { token } = granted();
    const first = afterRevocation(token, all, undefined);
    expect(afterRevocation(first, { ...all, at: at(10), seq: 60 }, undefined)).toBe(first);
  });

  test.each([
    ['LOCKED', true],
    ['SUSPENDED', true],
    ['REVOKED', false],
    ['DESTROYED', false],
  ] as const)('ends the tokens of an institution that is %s: %s', (state, ends) => {
    const { token, ledger } = granted();
    setStatus(ledger, state, at(1));
    expect(afterRevocation(token, all, ledger.find('IEO', LAB)) !== token).toBe(ends);
  });

  test('covers the tokens of one grantee, or those with one intent among others', () => {
    const token = { granteeId: 'lab', intents: ['EXPORT_DATA', 'READ_RECORDS'] } as const;
    expect(revocationCovers({}, token)).toBe(true);
    expect(['lab', 'other', ''].map((granteeId) => revocationCovers({ granteeId }, token))).toEqual([
      true,
      false,
      false,
    ]);
    expect(revocationCovers({ intent: 'READ_RECORDS' }, token)).toBe(true);
    expect(revocationCovers({ intent: 'SUBMIT_RECORD' }, token)).toBe(false);
  });
});
