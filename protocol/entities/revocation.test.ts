import { describe, expect, test } from 'vitest';
import type { BeoId } from '../ids.ts';
import { revokedTokens } from '../operations/revoked-tokens.ts';
import {
  afterDays,
  at,
  consentGrant,
  ledgerWith,
  MARIA,
  requireEntity,
  setStatus,
} from '../operations/test-requests.ts';
import { type Revocation, revocationCovers } from './revocation.ts';

describe('a revocation', () => {
  const all: Revocation = { beoId: MARIA as BeoId };

  test('sets revokedAt of a live token and changes no other member', () => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant({ expiresInDays: 1 }), at(0));
    expect(revokedTokens(ledger.entities, all, at(9))).toEqual([
      { ...requireEntity(ledger, 'TOKEN'), revokedAt: at(9) },
    ]);
  });

  test('skips tokens that have expired, are revoked or belong to another holder', () => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant({ expiresInDays: 1 }), at(0));
    expect(revokedTokens(ledger.entities, all, afterDays(1))).toEqual([]);
    expect(revokedTokens(ledger.entities, { beoId: 'other' as BeoId }, at(9))).toEqual([]);
    const revoked = { ...requireEntity(ledger, 'TOKEN'), revokedAt: at(1) };
    expect(revokedTokens({ ...ledger.entities, tokensOf: () => [revoked] }, all, at(9))).toHaveLength(0);
  });

  test.each([
    ['LOCKED', 1],
    ['SUSPENDED', 1],
    ['REVOKED', 0],
    ['DESTROYED', 0],
  ] as const)('of the tokens of an institution that is %s changes %i of 1', (state, count) => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant(), at(0));
    setStatus(ledger, state, at(1));
    expect(revokedTokens(ledger.entities, all, at(9))).toHaveLength(count);
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
