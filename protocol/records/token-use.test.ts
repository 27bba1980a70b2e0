import { describe, expect, test } from 'vitest';
import type { IeoType } from '../entities/ieo.ts';
import { INTENTS, type Intent } from '../entities/intents.ts';
import type { Scope } from '../entities/token.ts';
import { destroyBEO } from '../operations/destroy-beo.ts';
import { lockBEO } from '../operations/lock-beo.ts';
import { createTestLedger, type TestLedger } from '../operations/test-ledger.ts';
import {
  afterDays,
  at,
  beoCreation,
  byHolder,
  consentGrant,
  ieoCreation,
  LAB,
  ledgerWith,
  MARIA,
  refusalOf,
  setStatus,
  withdrawal,
} from '../operations/test-requests.ts';
import { unlockBEO } from '../operations/unlock-beo.ts';
import { requireTokenUse } from './token-use.ts';

const READ: Partial<Scope> = { intents: ['READ_RECORDS', 'EXPORT_DATA'] };

const use = (ledger: TestLedger, moment: string, intent: Intent = 'READ_RECORDS', token = 'token') =>
  requireTokenUse(ledger.entities, { token }, intent, moment);

/** The error code; null if the use is allowed. */
function problem(...parameters: Parameters<typeof use>): string | null {
  try {
    use(...parameters);
    return null;
  } catch (error) {
    return refusalOf(() => {
      throw error;
    }).code;
  }
}

/** Maria, the laboratory, and a consent that ends after a day. */
function ledgerWithConsent(scope: Partial<Scope> = READ): TestLedger {
  const ledger = ledgerWith();
  ledger.submit(consentGrant({ scope, expiresInDays: 1 }), at(1));
  return ledger;
}

/** What prevents a use, in the order in which it is reported. */
const OBSTACLES: readonly (readonly [what: string, change: (ledger: TestLedger) => unknown, code: string])[] = [
  ['the holder is locked', (ledger) => ledger.submit(byHolder(lockBEO), at(2)), 'BEO_LOCKED'],
  ['the institution is suspended', (ledger) => setStatus(ledger, 'SUSPENDED', at(2)), 'IEO_NOT_ACTIVE'],
  ['the consent is withdrawn', (ledger) => ledger.submit(withdrawal(), at(2)), 'TOKEN_REVOKED'],
];

describe('a consent', () => {
  test('allows the use to an institution and to the holder', () => {
    const ledger = ledgerWithConsent();
    ledger.submit(consentGrant({ grantee: MARIA, scope: READ }, 'self'), at(1));
    const [token, self] = [ledger.find('TOKEN', 'token'), ledger.find('TOKEN', 'self')];
    const [holder, lab] = [ledger.find('BEO', MARIA), ledger.find('IEO', LAB)];
    expect(use(ledger, at(2))).toEqual({ token, holder, grantee: lab, user: lab });
    expect(use(ledger, at(2), 'EXPORT_DATA', 'self')).toEqual({ token: self, holder, grantee: holder, user: holder });
  });

  test.each(INTENTS)('allows only its own intents: %s', (intent) => {
    const ledger = ledgerWithConsent({ intents: [intent] });
    for (const other of INTENTS) {
      expect(problem(ledger, at(2), other)).toBe(other === intent ? null : 'INTENT_NOT_AUTHORIZED');
    }
  });

  test('is valid from the grant until exactly its end', () => {
    const ledger = ledgerWithConsent();
    expect(problem(ledger, at(1))).toBeNull();
    expect(problem(ledger, afterDays(1, 59_999))).toBeNull();
    expect(problem(ledger, afterDays(1, 60_000))).toBe('TOKEN_EXPIRED');
  });
});

describe('a use is rejected', () => {
  test.each(OBSTACLES)('if %s', (_, change, code) => {
    const ledger = ledgerWithConsent();
    change(ledger);
    expect(problem(ledger, at(3))).toBe(code);
  });

  test('if the token does not exist', () => {
    expect(problem(ledgerWithConsent(), at(2), 'READ_RECORDS', 'tok_none')).toBe('TOKEN_NOT_FOUND');
    expect(problem(ledgerWithConsent(), at(2), 'READ_RECORDS', '')).toBe('TOKEN_NOT_FOUND');
    expect(refusalOf(() => requireTokenUse(ledgerWithConsent().entities, {}, 'READ_RECORDS', at(2))).code).toBe(
      'TOKEN_NOT_FOUND',
    );
  });

  test('if the holder was destroyed', () => {
    const ledger = ledgerWithConsent();
    ledger.submit(consentGrant({ grantee: MARIA, scope: READ }, 'self'), at(1));
    ledger.submit(byHolder(destroyBEO), at(2));
    for (const token of ['token', 'self']) expect(problem(ledger, at(3), 'READ_RECORDS', token)).toBe('BEO_DESTROYED');
  });

  test.each([
    ['LOCKED', 'IEO_LOCKED'],
    ['SUSPENDED', 'IEO_NOT_ACTIVE'],
    ['REVOKED', 'IEO_NOT_ACTIVE'],
    ['DESTROYED', 'IEO_DESTROYED'],
  ] as const)('if the institution is %s', (state, code) => {
    const ledger = ledgerWithConsent();
    setStatus(ledger, state, at(2));
    expect(problem(ledger, at(3))).toBe(code);
  });

  test('while the holder is locked, also for the holder', () => {
    const ledger = ledgerWithConsent();
    ledger.submit(consentGrant({ grantee: MARIA, scope: READ }, 'self'), at(1));
    ledger.submit(byHolder(lockBEO), at(2));
    for (const token of ['token', 'self']) expect(problem(ledger, at(3), 'READ_RECORDS', token)).toBe('BEO_LOCKED');
    ledger.submit(byHolder(unlockBEO), at(4));
    for (const token of ['token', 'self']) expect(problem(ledger, at(5), 'READ_RECORDS', token)).toBeNull();
  });

  test('if a holder submits records to itself', () => {
    const ledger = ledgerWith();
    ledger.submit(consentGrant({ grantee: MARIA, scope: { intents: INTENTS } }), at(1));
    for (const intent of INTENTS) {
      expect(problem(ledger, at(2), intent)).toBe(intent === 'SUBMIT_RECORD' ? 'INTENT_NOT_ALLOWED_FOR_TYPE' : null);
    }
  });

  test.each<[IeoType, readonly Intent[]]>([
    ['WEARABLE', ['READ_RECORDS']],
    ['PLATFORM', ['SUBMIT_RECORD']],
  ])('if the type of the institution does not allow the intent: %s', (ieoType, never) => {
    for (const intent of INTENTS) {
      const ledger = createTestLedger();
      ledger.submit(beoCreation(), at(0));
      ledger.submit(ieoCreation(), at(0));
      ledger.submit(consentGrant({ scope: { intents: [intent], categories: ['BSP-DV'] } }), at(0));
      const lab = ledger.find('IEO', LAB);
      const entities = {
        get: (kind: string, id: string) =>
          kind === 'IEO' ? ({ ...lab, ieoType } as never) : ledger.entities.get(kind as 'BEO', id),
      } as TestLedger['entities'];
      const useToken = () => requireTokenUse(entities, { token: 'token' }, intent, at(1));
      if (never.includes(intent)) expect(refusalOf(useToken).code).toBe('INTENT_NOT_ALLOWED_FOR_TYPE');
      else expect(useToken).not.toThrow();
    }
  });
});

describe('of several reasons, the first in the order of protocol §5 is reported', () => {
  test('for every combination', () => {
    for (let mask = 1; mask < 2 ** OBSTACLES.length; mask += 1) {
      const ledger = ledgerWithConsent();
      const applied = OBSTACLES.filter((_, bit) => (mask >> bit) % 2 === 1);
      for (const [, change] of applied.toReversed()) change(ledger);
      expect(problem(ledger, at(3), 'ANALYZE_VITALITY')).toBe(applied[0]?.[2]);
      expect(problem(ledger, afterDays(2), 'ANALYZE_VITALITY')).toBe(applied[0]?.[2]);
    }
  });

  test('destroyed holder, then destroyed institution, then revoked token', () => {
    const ledger = ledgerWithConsent();
    ledger.submit(withdrawal(), at(2));
    setStatus(ledger, 'DESTROYED', at(3));
    expect(problem(ledger, afterDays(2))).toBe('IEO_DESTROYED');
    ledger.submit(byHolder(destroyBEO), at(4));
    expect(problem(ledger, afterDays(2))).toBe('BEO_DESTROYED');
  });

  test('revoked, then expired, then the intent', () => {
    const ledger = ledgerWithConsent();
    expect(problem(ledger, afterDays(2), 'ANALYZE_VITALITY')).toBe('TOKEN_EXPIRED');
    ledger.submit(withdrawal(), at(2));
    expect(problem(ledger, afterDays(2), 'ANALYZE_VITALITY')).toBe('TOKEN_REVOKED');
  });

  test('with the time in the details', () => {
    const ledger = ledgerWithConsent();
    const expired = refusalOf(() => use(ledger, afterDays(2)));
    expect(expired.details).toEqual({ expired_at: afterDays(1, 60_000) });
    ledger.submit(withdrawal(), at(2));
    expect(refusalOf(() => use(ledger, at(3))).details).toEqual({ revoked_at: at(2) });
    ledger.submit(byHolder(lockBEO), at(4));
    expect(refusalOf(() => use(ledger, at(5))).details).toEqual({ locked_at: at(4) });
  });
});
