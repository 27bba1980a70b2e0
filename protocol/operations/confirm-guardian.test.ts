import { describe, expect, test } from 'vitest';
import { confirmGuardian } from './confirm-guardian.ts';
import { lockBEO } from './lock-beo.ts';
import {
  ANA,
  asked,
  BRUNO,
  CELIA,
  configure,
  confirm,
  counting,
  guardianOf,
  HOLDER,
  hours,
  invite,
  join,
  mariaIn,
  mariaWith,
  NEW,
  OTHER,
  recover,
  vouch,
} from './test-guardians.ts';
import { answerOf, own, refusalOf } from './test-requests.ts';

describe('a holder confirms a guardian', () => {
  test('by id and key, once; it is answered with who that is', () => {
    const ledger = mariaWith();
    const { guardianId } = guardianOf(ledger, ANA);
    const request = own(confirmGuardian, { guardianId, publicKey: ANA });
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

  test('who has accepted, and nobody else', () => {
    const ledger = mariaWith([ANA]);
    const invited = invite(ledger, 'secondary', hours(0));
    const of = (guardianId: string, publicKey: string) => () =>
      ledger.submit(own(confirmGuardian, { guardianId, publicKey }), hours(1));
    expect(refusalOf(of(invited.guardianId, BRUNO))).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path: 'guardianId', message: 'has not accepted the invitation' }] },
    });
    expect(refusalOf(of(guardianOf(ledger, ANA).guardianId, BRUNO))).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path: 'publicKey', message: 'is not the key that this guardian registered' }] },
    });
    expect(refusalOf(of('somebody', ANA)).code).toBe('NOT_FOUND');
    const { guardianId } = guardianOf(ledger, ANA);
    configure(ledger, null, hours(1));
    expect(refusalOf(of(guardianId, ANA)).code).toBe('NOT_FOUND');
    expect(mariaIn(ledger).recovery.confirmedSince).toBeNull();
  });

  test('only while unlocked', () => {
    const ledger = mariaWith();
    ledger.submit(own(lockBEO), hours(1));
    expect(refusalOf(() => vouch(ledger, ANA, hours(2))).code).toBe('BEO_LOCKED');
  });

  test('in the 24 hours after a recovery too', () => {
    const ledger = mariaWith();
    recover(ledger, [ANA, BRUNO], hours(1));
    vouch(ledger, CELIA, hours(2));
    expect(guardianOf(ledger, CELIA).confirmedAt).toBe(hours(2));
  });
});

describe('from the first confirmation on', () => {
  test('nobody counts whom the holder has not confirmed, whenever they accept', () => {
    const ledger = mariaWith([ANA]);
    vouch(ledger, ANA, hours(1));
    join(ledger, 'secondary', BRUNO, hours(2));
    expect(counting(ledger, hours(2))).toEqual([ANA]);
    const error = refusalOf(() => confirm(ledger, asked(hours(3)), BRUNO, hours(3)));
    expect(error).toMatchObject({ code: 'LINK_EXPIRED', details: { reason: 'SUPERSEDED' } });
    vouch(ledger, BRUNO, hours(4));
    expect(counting(ledger, hours(4))).toEqual([ANA, BRUNO]);
    recover(ledger, [ANA, BRUNO], hours(5));
  });

  test('whoever accepted less than 72 hours before is unseated at once: it may be the relayer itself', () => {
    const ledger = mariaWith();
    vouch(ledger, ANA, hours(72, -1));
    expect(counting(ledger, hours(72, -1))).toEqual([ANA]);
    expect(guardianOf(ledger, BRUNO)).toMatchObject({ status: 'ACTIVE', countsUntil: null });
  });

  test('whoever had counted for 72 hours counts for 72 more: it may be a thief who confirms', () => {
    const ledger = mariaWith();
    vouch(ledger, ANA, hours(72));
    expect(guardianOf(ledger, BRUNO)).toMatchObject({ status: 'ACTIVE', countsUntil: hours(144) });
    expect(counting(ledger, hours(144, -1))).toEqual([ANA, BRUNO, CELIA]);
    expect(counting(ledger, hours(144))).toEqual([ANA]);
  });

  test('what somebody had confirmed who was unseated by it is worth nothing', () => {
    const ledger = mariaWith();
    const request = asked(hours(1));
    confirm(ledger, request, CELIA, hours(1));
    vouch(ledger, ANA, hours(2));
    vouch(ledger, BRUNO, hours(2));
    confirm(ledger, request, ANA, hours(3));
    expect(mariaIn(ledger)).toMatchObject({ publicKey: HOLDER, keyVersion: 1 });
    confirm(ledger, request, BRUNO, hours(4));
    expect(mariaIn(ledger).publicKey).toBe(NEW);
  });

  test('a second confirmation takes nothing from anybody', () => {
    const ledger = mariaWith();
    vouch(ledger, ANA, hours(72));
    vouch(ledger, BRUNO, hours(100));
    expect(guardianOf(ledger, BRUNO)).toMatchObject({ confirmedAt: hours(100), countsUntil: null });
    expect(guardianOf(ledger, CELIA).countsUntil).toBe(hours(144));
    expect(counting(ledger, hours(1_000))).toEqual([ANA, BRUNO]);
  });

  test('it stays so, even when everybody who was confirmed is gone', () => {
    const ledger = mariaWith([ANA]);
    vouch(ledger, ANA, hours(1));
    configure(ledger, null, hours(2));
    join(ledger, 'primary', OTHER, hours(3));
    expect(counting(ledger, hours(3))).toEqual([ANA]);
    expect(counting(ledger, hours(74))).toEqual([]);
  });

  test('a confirmed guardian stays confirmed in another role', () => {
    const ledger = mariaWith([ANA, BRUNO], [ANA, BRUNO]);
    configure(ledger, { primary: BRUNO, tertiary: ANA }, hours(1));
    expect(counting(ledger, hours(1_000))).toEqual([ANA, BRUNO]);
  });
});
