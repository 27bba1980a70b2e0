import { describe, expect, test } from 'vitest';
import { confirmGuardian } from './confirm-guardian.ts';
import { lockBEO } from './lock-beo.ts';
import {
  ANA,
  BRUNO,
  CELIA,
  configure,
  confirm,
  confirmGuardianWith,
  eligibleKeys,
  guardianOf,
  HOLDER,
  hours,
  invite,
  join,
  ledgerWithGuardians,
  mariaIn,
  NEW,
  OTHER,
  recover,
  recoveryRequest,
} from './test-guardians.ts';
import { answerOf, byHolder, refusalOf } from './test-requests.ts';

describe('a holder confirms a guardian', () => {
  test('by id and key, once; the response has the guardian', () => {
    const ledger = ledgerWithGuardians();
    const { guardianId } = guardianOf(ledger, ANA);
    const request = byHolder(confirmGuardian, { guardianId, publicKey: ANA });
    expect(answerOf(ledger, request, hours(1))).toEqual({
      guardian_id: guardianId,
      role: 'primary',
      status: 'ACTIVE',
      beo_domain: 'maria.bsp',
    });
    expect(guardianOf(ledger, ANA)).toMatchObject({ confirmedAt: hours(1), countsUntil: null });
    expect(mariaIn(ledger)).toMatchObject({ updatedAt: hours(1), recovery: { confirmedSince: hours(1) } });
    const error = refusalOf(() => ledger.submit(request, hours(2)));
    expect(error).toMatchObject({ code: 'ALREADY_CONFIRMED', details: { confirmed_at: hours(1) } });
  });

  test('only one who has accepted, with the registered key', () => {
    const ledger = ledgerWithGuardians([ANA]);
    const invited = invite(ledger, 'secondary', hours(0));
    const confirmWith = (guardianId: string, publicKey: string) => () =>
      ledger.submit(byHolder(confirmGuardian, { guardianId, publicKey }), hours(1));
    expect(refusalOf(confirmWith(invited.guardianId, BRUNO))).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path: 'guardianId', message: 'has not accepted the invitation' }] },
    });
    expect(refusalOf(confirmWith(guardianOf(ledger, ANA).guardianId, BRUNO))).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path: 'publicKey', message: 'is not the key that this guardian registered' }] },
    });
    expect(refusalOf(confirmWith('unknown', ANA)).code).toBe('NOT_FOUND');
    const { guardianId } = guardianOf(ledger, ANA);
    configure(ledger, null, hours(1));
    expect(refusalOf(confirmWith(guardianId, ANA)).code).toBe('NOT_FOUND');
    expect(mariaIn(ledger).recovery.confirmedSince).toBeNull();
  });

  test('only while unlocked', () => {
    const ledger = ledgerWithGuardians();
    ledger.submit(byHolder(lockBEO), hours(1));
    expect(refusalOf(() => confirmGuardianWith(ledger, ANA, hours(2))).code).toBe('BEO_LOCKED');
  });

  test('also in the 24 hours after a recovery', () => {
    const ledger = ledgerWithGuardians();
    recover(ledger, [ANA, BRUNO], hours(1));
    confirmGuardianWith(ledger, CELIA, hours(2));
    expect(guardianOf(ledger, CELIA).confirmedAt).toBe(hours(2));
  });
});

describe('from the first confirmation on', () => {
  test('unconfirmed guardians are not eligible, whenever they accept', () => {
    const ledger = ledgerWithGuardians([ANA]);
    confirmGuardianWith(ledger, ANA, hours(1));
    join(ledger, 'secondary', BRUNO, hours(2));
    expect(eligibleKeys(ledger, hours(2))).toEqual([ANA]);
    const error = refusalOf(() => confirm(ledger, recoveryRequest(hours(3)), BRUNO, hours(3)));
    expect(error).toMatchObject({ code: 'LINK_EXPIRED', details: { reason: 'SUPERSEDED' } });
    confirmGuardianWith(ledger, BRUNO, hours(4));
    expect(eligibleKeys(ledger, hours(4))).toEqual([ANA, BRUNO]);
    recover(ledger, [ANA, BRUNO], hours(5));
  });

  test('guardians who accepted less than 72 hours before lose their eligibility at once: they may be the relayer', () => {
    const ledger = ledgerWithGuardians();
    confirmGuardianWith(ledger, ANA, hours(72, -1));
    expect(eligibleKeys(ledger, hours(72, -1))).toEqual([ANA]);
    expect(guardianOf(ledger, BRUNO)).toMatchObject({ status: 'ACTIVE', countsUntil: null });
  });

  test('guardians who were eligible for 72 hours get a grace period of 72 hours: a thief may have confirmed', () => {
    const ledger = ledgerWithGuardians();
    confirmGuardianWith(ledger, ANA, hours(72));
    expect(guardianOf(ledger, BRUNO)).toMatchObject({ status: 'ACTIVE', countsUntil: hours(144) });
    expect(eligibleKeys(ledger, hours(144, -1))).toEqual([ANA, BRUNO, CELIA]);
    expect(eligibleKeys(ledger, hours(144))).toEqual([ANA]);
  });

  test('confirmations of guardians who lose their eligibility are void', () => {
    const ledger = ledgerWithGuardians();
    const request = recoveryRequest(hours(1));
    confirm(ledger, request, CELIA, hours(1));
    confirmGuardianWith(ledger, ANA, hours(2));
    confirmGuardianWith(ledger, BRUNO, hours(2));
    confirm(ledger, request, ANA, hours(3));
    expect(mariaIn(ledger)).toMatchObject({ publicKey: HOLDER, keyVersion: 1 });
    confirm(ledger, request, BRUNO, hours(4));
    expect(mariaIn(ledger).publicKey).toBe(NEW);
  });

  test('a second confirmation changes no other guardian', () => {
    const ledger = ledgerWithGuardians();
    confirmGuardianWith(ledger, ANA, hours(72));
    confirmGuardianWith(ledger, BRUNO, hours(100));
    expect(guardianOf(ledger, BRUNO)).toMatchObject({ confirmedAt: hours(100), countsUntil: null });
    expect(guardianOf(ledger, CELIA).countsUntil).toBe(hours(144));
    expect(eligibleKeys(ledger, hours(1_000))).toEqual([ANA, BRUNO]);
  });

  test('the rule stays, even without any confirmed guardian', () => {
    const ledger = ledgerWithGuardians([ANA]);
    confirmGuardianWith(ledger, ANA, hours(1));
    configure(ledger, null, hours(2));
    join(ledger, 'primary', OTHER, hours(3));
    expect(eligibleKeys(ledger, hours(3))).toEqual([ANA]);
    expect(eligibleKeys(ledger, hours(74))).toEqual([]);
  });

  test('a confirmed guardian stays confirmed in another role', () => {
    const ledger = ledgerWithGuardians([ANA, BRUNO], [ANA, BRUNO]);
    configure(ledger, { primary: BRUNO, tertiary: ANA }, hours(1));
    expect(eligibleKeys(ledger, hours(1_000))).toEqual([ANA, BRUNO]);
  });
});
