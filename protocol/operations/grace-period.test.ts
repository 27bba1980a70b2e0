import { describe, expect, test } from 'vitest';
import {
  ANA,
  accept,
  BRUNO,
  CELIA,
  configure,
  confirm,
  confirmGuardianWith,
  eligibleKeys,
  guardianOf,
  guardiansByRole,
  hours,
  invite,
  join,
  ledgerWithGuardians,
  mariaIn,
  NEW,
  OTHER,
  recover,
  recoveryRequest,
  replaceAll,
} from './test-guardians.ts';
import { key, refusalOf } from './test-requests.ts';

const [XENO, YURI, ZITA] = [key('7'), key('8'), key('9')];
const ACCOMPLICES = { primary: XENO, secondary: YURI, tertiary: ZITA };
const ALL = { primary: ANA, secondary: BRUNO, tertiary: CELIA };

describe('a guardian who was removed', () => {
  test.each([
    ['all are replaced', ACCOMPLICES],
    ['all are removed', {}],
    ['the configuration is removed', null],
  ])('is eligible for exactly 72 hours if %s', (_, configuration) => {
    const ledger = ledgerWithGuardians();
    configure(ledger, configuration, hours(10));
    expect(guardianOf(ledger, ANA)).toMatchObject({ status: 'REMOVED', removedAt: hours(10), countsUntil: hours(82) });
    expect(eligibleKeys(ledger, hours(82, -1))).toEqual([ANA, BRUNO, CELIA]);
    expect(eligibleKeys(ledger, hours(82))).toEqual([]);
  });

  test('is eligible after 71 hours, and not after 73 hours', () => {
    for (const [after, isEligible] of [
      [71, true],
      [73, false],
    ] as const) {
      const ledger = ledgerWithGuardians();
      configure(ledger, null, hours(10));
      const attempt = () => recover(ledger, [ANA, BRUNO], hours(10 + after));
      if (isEligible) attempt();
      else expect(refusalOf(attempt)).toMatchObject({ code: 'LINK_EXPIRED', details: { reason: 'SUPERSEDED' } });
      expect(mariaIn(ledger).publicKey === NEW).toBe(isEligible);
    }
  });

  test('gets no longer grace period from a later removal', () => {
    const ledger = ledgerWithGuardians();
    for (const hour of [10, 40, 70]) configure(ledger, null, hours(hour));
    expect(eligibleKeys(ledger, hours(82, -1))).toEqual([ANA, BRUNO, CELIA]);
    expect(eligibleKeys(ledger, hours(82))).toEqual([]);
  });

  test('is not eligible if only other guardians are confirmed', () => {
    const ledger = ledgerWithGuardians([ANA, BRUNO, CELIA], [ANA, BRUNO]);
    configure(ledger, null, hours(10));
    expect(eligibleKeys(ledger, hours(10))).toEqual([ANA, BRUNO]);
    expect(refusalOf(() => confirm(ledger, recoveryRequest(hours(11)), CELIA, hours(11))).code).toBe('LINK_EXPIRED');
  });

  test('can recover the identity together with a present guardian', () => {
    const ledger = ledgerWithGuardians();
    configure(ledger, { primary: ANA }, hours(10));
    recover(ledger, [ANA, CELIA], hours(81));
    expect(guardiansByRole(ledger)).toEqual(ALL);
  });

  test('keeps an earlier confirmation', () => {
    const ledger = ledgerWithGuardians();
    const request = recoveryRequest(hours(9));
    confirm(ledger, request, ANA, hours(9));
    configure(ledger, { secondary: BRUNO }, hours(10));
    confirm(ledger, request, BRUNO, hours(80));
    expect(mariaIn(ledger).publicKey).toBe(NEW);
  });
});

describe('a disabled configuration', () => {
  test('leaves its guardians eligible for 72 hours, and is enabled by a recovery', () => {
    const ledger = ledgerWithGuardians();
    configure(ledger, ALL, hours(10), false);
    expect(guardianOf(ledger, ANA)).toMatchObject({ status: 'ACTIVE', countsUntil: hours(82) });
    expect(eligibleKeys(ledger, hours(82, -1))).toEqual([ANA, BRUNO, CELIA]);
    expect(eligibleKeys(ledger, hours(82))).toEqual([]);
    recover(ledger, [BRUNO, CELIA], hours(82, -1));
    expect(mariaIn(ledger).recovery.enabled).toBe(true);
    expect(eligibleKeys(ledger, hours(1_000))).toEqual([ANA, BRUNO, CELIA]);
  });

  test('starts a new grace period each time it is disabled', () => {
    const ledger = ledgerWithGuardians();
    configure(ledger, ALL, hours(10), false);
    configure(ledger, ALL, hours(20));
    expect(guardianOf(ledger, ANA).countsUntil).toBeNull();
    configure(ledger, ALL, hours(30), false);
    expect(eligibleKeys(ledger, hours(102, -1))).toEqual([ANA, BRUNO, CELIA]);
  });
});

describe('after a recovery', () => {
  test('guardians removed in the last 72 hours are restored, and their replacements are removed', () => {
    const ledger = ledgerWithGuardians([ANA, BRUNO, CELIA], [ANA, BRUNO, CELIA]);
    replaceAll(ledger, ACCOMPLICES, hours(10));
    for (const accomplice of Object.values(ACCOMPLICES)) confirmGuardianWith(ledger, accomplice, hours(11));
    recover(ledger, [ANA, BRUNO], hours(81));
    expect(guardiansByRole(ledger)).toEqual(ALL);
    expect(eligibleKeys(ledger, hours(1_000))).toEqual([ANA, BRUNO, CELIA]);
    for (const accomplice of Object.values(ACCOMPLICES)) {
      expect(refusalOf(() => confirm(ledger, recoveryRequest(hours(82)), accomplice, hours(82))).code).toBe(
        'LINK_EXPIRED',
      );
    }
  });

  test('they are restored even if a thief changed the roles of the others', () => {
    const ledger = ledgerWithGuardians();
    configure(ledger, { tertiary: ANA }, hours(10));
    join(ledger, 'primary', XENO, hours(11));
    join(ledger, 'secondary', YURI, hours(11));
    recover(ledger, [BRUNO, CELIA], hours(12));
    expect(guardiansByRole(ledger)).toEqual({ primary: ANA, secondary: BRUNO, tertiary: CELIA });
  });

  test('they are restored even if a thief changed all roles in several steps', () => {
    const ledger = ledgerWithGuardians();
    configure(ledger, { primary: BRUNO, secondary: CELIA, tertiary: null }, hours(10));
    configure(ledger, { secondary: BRUNO, primary: null, tertiary: null }, hours(11));
    replaceAll(ledger, ACCOMPLICES, hours(12));
    recover(ledger, [ANA, CELIA], hours(13));
    expect(Object.values(guardiansByRole(ledger)).sort()).toEqual([ANA, BRUNO, CELIA]);
  });

  test('guardians that a thief named and removed are not restored', () => {
    const ledger = ledgerWithGuardians();
    replaceAll(ledger, ACCOMPLICES, hours(10));
    replaceAll(ledger, { primary: OTHER }, hours(11));
    expect(eligibleKeys(ledger, hours(11))).toEqual(expect.arrayContaining([ANA, BRUNO, CELIA, OTHER]));
    recover(ledger, [ANA, BRUNO], hours(12));
    expect(guardiansByRole(ledger)).toEqual(ALL);
    expect(eligibleKeys(ledger, hours(12))).toEqual([ANA, BRUNO, CELIA]);
  });

  test('repeated configurations do not grow the state', () => {
    const ledger = ledgerWithGuardians();
    for (let hour = 10; hour < 60; hour += 1) {
      const [primary, secondary] = [1, 2].map((number) => `${number}${hour}`.padStart(64, '7'));
      replaceAll(ledger, { primary: primary ?? '', secondary: secondary ?? '' }, hours(hour));
    }
    expect(mariaIn(ledger).recovery.guardians.length).toBeLessThanOrEqual(6);
    recover(ledger, [ANA, BRUNO], hours(60));
    expect(guardiansByRole(ledger)).toEqual(ALL);
  });

  test('guardians removed earlier stay removed, and their predecessors stay', () => {
    const ledger = ledgerWithGuardians();
    configure(ledger, { primary: ANA, secondary: BRUNO }, hours(10));
    join(ledger, 'tertiary', OTHER, hours(20));
    configure(ledger, { secondary: BRUNO, tertiary: OTHER }, hours(82));
    recover(ledger, [BRUNO, OTHER], hours(83));
    expect(guardiansByRole(ledger)).toEqual({ primary: ANA, secondary: BRUNO, tertiary: OTHER });
  });

  test('an invitation keeps its role if no restored guardian has it', () => {
    const ledger = ledgerWithGuardians([ANA, BRUNO]);
    const invitation = invite(ledger, 'tertiary', hours(10));
    recover(ledger, [ANA, BRUNO], hours(11));
    expect(guardiansByRole(ledger)).toEqual({ primary: ANA, secondary: BRUNO, tertiary: 'PENDING' });
    accept(ledger, invitation, CELIA, hours(12));
  });

  test('an invitation to the role of a restored guardian is removed', () => {
    const ledger = ledgerWithGuardians();
    const [invitation] = configure(ledger, { primary: ANA, secondary: BRUNO, tertiary: null }, hours(10)).invited;
    recover(ledger, [ANA, BRUNO], hours(11));
    expect(guardiansByRole(ledger)).toEqual(ALL);
    if (!invitation) throw new Error('No guardian was invited.');
    expect(refusalOf(() => accept(ledger, invitation, XENO, hours(12))).code).toBe('LINK_EXPIRED');
  });

  test('by a thief’s accomplices, the removed guardians are restored, and the cooldown protects them for a day', () => {
    const ledger = ledgerWithGuardians();
    confirm(ledger, recoveryRequest(hours(9)), ANA, hours(9));
    replaceAll(ledger, ACCOMPLICES, hours(10));
    recover(ledger, [XENO, YURI], hours(11), OTHER);
    expect(guardiansByRole(ledger)).toEqual(ALL);
    expect(refusalOf(() => replaceAll(ledger, ACCOMPLICES, hours(35, -1))).code).toBe('RECOVERY_COOLDOWN');
    expect(refusalOf(() => confirm(ledger, recoveryRequest(hours(9)), BRUNO, hours(12))).code).toBe('REQUEST_CLOSED');
    recover(ledger, [ANA, BRUNO], hours(13));
    expect(mariaIn(ledger)).toMatchObject({ publicKey: NEW, keyVersion: 3 });
  });

  test('guardians that a thief’s confirmation made ineligible are eligible again, and the one the thief confirmed is removed', () => {
    const ledger = ledgerWithGuardians();
    configure(ledger, { primary: ANA, secondary: BRUNO }, hours(100));
    join(ledger, 'tertiary', XENO, hours(100));
    confirmGuardianWith(ledger, XENO, hours(101));
    recover(ledger, [ANA, BRUNO], hours(110));
    expect(guardiansByRole(ledger)).toEqual(ALL);
    expect(eligibleKeys(ledger, hours(1_000))).toEqual([ANA, BRUNO, CELIA]);
  });

  test('two guardians stay eligible after a thief added and confirmed a third', () => {
    const ledger = ledgerWithGuardians([ANA, BRUNO]);
    join(ledger, 'tertiary', XENO, hours(100));
    confirmGuardianWith(ledger, XENO, hours(101));
    recover(ledger, [ANA, BRUNO], hours(110));
    expect(eligibleKeys(ledger, hours(1_000))).toEqual(expect.arrayContaining([ANA, BRUNO]));
  });

  test('a guardian whom a thief removed and re-invited is restored once', () => {
    const ledger = ledgerWithGuardians();
    configure(ledger, {}, hours(100));
    join(ledger, 'primary', XENO, hours(101));
    join(ledger, 'secondary', ANA, hours(101));
    recover(ledger, [BRUNO, CELIA], hours(110));
    expect(Object.values(guardiansByRole(ledger)).sort()).toEqual([ANA, BRUNO, CELIA]);
  });
});

test('a re-invited guardian keeps the rest of the grace period, also if another is confirmed then', () => {
  const ledger = ledgerWithGuardians();
  configure(ledger, {}, hours(100));
  join(ledger, 'primary', XENO, hours(101));
  for (const [role, publicKey] of [
    ['secondary', ANA],
    ['tertiary', BRUNO],
  ] as const) {
    join(ledger, role, publicKey, hours(101));
  }
  confirmGuardianWith(ledger, XENO, hours(102));
  expect(eligibleKeys(ledger, hours(172, -1))).toEqual([XENO, ANA, BRUNO, CELIA].sort());
});
