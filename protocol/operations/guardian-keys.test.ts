import { describe, expect, test } from 'vitest';
import { rotateBEOKey } from './rotate-beo-key.ts';
import {
  ANA,
  accept,
  BRUNO,
  CELIA,
  configure,
  confirm,
  guardianOf,
  guardiansByRole,
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
  replaceAll,
} from './test-guardians.ts';
import type { TestLedger } from './test-ledger.ts';
import { byHolder, refusalOf } from './test-requests.ts';

const rotate = (ledger: TestLedger, newPublicKey: string, moment: string) =>
  ledger.submit(byHolder(rotateBEOKey, { newPublicKey }), moment);
const expectTaken = (action: () => unknown, role?: string) =>
  expect(refusalOf(action)).toMatchObject({ code: 'PUBLIC_KEY_TAKEN', ...(role ? { details: { role } } : {}) });

describe('the key that accepts an invitation', () => {
  test('is not the current key of the holder', () => {
    const ledger = ledgerWithGuardians([]);
    const invitation = invite(ledger, 'primary', hours(0));
    rotate(ledger, NEW, hours(1));
    expectTaken(() => accept(ledger, invitation, NEW, hours(1)));
    accept(ledger, invitation, HOLDER, hours(1));
  });

  test('is not the key of a guardian, nor one that the holder has bound', () => {
    const ledger = ledgerWithGuardians([]);
    const { invited } = configure(ledger, { primary: null, secondary: BRUNO, tertiary: null }, hours(0));
    const [first, , third] = invited;
    if (!first || !third) throw new Error('The guardians were not invited.');
    expectTaken(() => accept(ledger, first, BRUNO, hours(1)), 'secondary');
    accept(ledger, first, ANA, hours(1));
    expectTaken(() => accept(ledger, third, ANA, hours(1)), 'primary');
  });

  test('may be the key of an expired invitation', () => {
    const ledger = ledgerWithGuardians([]);
    configure(ledger, { secondary: BRUNO }, hours(0));
    join(ledger, 'primary', BRUNO, hours(72));
    expect(guardiansByRole(ledger).primary).toBe(BRUNO);
  });

  test('of a removed and re-invited guardian stays one guardian with the rest of the grace period', () => {
    const ledger = ledgerWithGuardians();
    configure(ledger, { primary: ANA, secondary: BRUNO }, hours(1));
    expect(guardianOf(ledger, CELIA).countsUntil).toBe(hours(73));
    join(ledger, 'tertiary', CELIA, hours(2));
    const withKey = mariaIn(ledger).recovery.guardians.filter(({ publicKey }) => publicKey === CELIA);
    expect(withKey).toEqual([expect.objectContaining({ status: 'ACTIVE', countsUntil: hours(73) })]);
    const request = recoveryRequest(hours(3));
    confirm(ledger, request, CELIA, hours(3));
    expect(refusalOf(() => confirm(ledger, request, CELIA, hours(3))).code).toBe('ALREADY_CONFIRMED');
  });
});

test('a confirmed guardian who is removed and re-invited stays confirmed', () => {
  const ledger = ledgerWithGuardians([ANA, BRUNO], [ANA, BRUNO]);
  configure(ledger, { secondary: BRUNO }, hours(1));
  join(ledger, 'primary', ANA, hours(2));
  recover(ledger, [ANA, BRUNO], hours(100));
  expect(guardiansByRole(ledger)).toEqual({ primary: ANA, secondary: BRUNO });
});

describe('a key that the holder names', () => {
  test('is neither the holder’s nor another guardian’s', () => {
    const ledger = ledgerWithGuardians();
    expectTaken(() => configure(ledger, { primary: HOLDER }, hours(1)), 'primary');
    expectTaken(() => configure(ledger, { primary: null, secondary: OTHER, tertiary: OTHER }, hours(1)), 'tertiary');
    expectTaken(() => configure(ledger, { primary: ANA, secondary: ANA.toUpperCase() }, hours(1)), 'secondary');
  });

  test('may be the key of a removed guardian', () => {
    const ledger = ledgerWithGuardians();
    configure(ledger, null, hours(1));
    const [invitation] = configure(ledger, { tertiary: ANA }, hours(2)).invited;
    if (!invitation) throw new Error('The guardian was not invited.');
    accept(ledger, invitation, ANA, hours(3));
    expect(guardiansByRole(ledger)).toEqual({ tertiary: ANA });
  });
});

describe('the holder’s new key', () => {
  test.each([
    ['who is present', () => ledgerWithGuardians()],
    [
      'who was named by key and has not accepted',
      () => {
        const ledger = ledgerWithGuardians([]);
        configure(ledger, { primary: ANA }, hours(0));
        return ledger;
      },
    ],
    [
      'who was removed less than 72 hours ago',
      () => {
        const ledger = ledgerWithGuardians();
        configure(ledger, null, hours(0));
        return ledger;
      },
    ],
  ])('does not rotate onto the key of a guardian %s', (_, createLedger) => {
    const ledger = createLedger();
    for (const key of [ANA, ANA.toUpperCase()]) expectTaken(() => rotate(ledger, key, hours(71)));
    expect(mariaIn(ledger)).toMatchObject({ publicKey: HOLDER, keyVersion: 1 });
  });

  test('may be a former guardian’s', () => {
    const ledger = ledgerWithGuardians();
    configure(ledger, null, hours(0));
    rotate(ledger, ANA, hours(72));
    expect(mariaIn(ledger).publicKey).toBe(ANA);
  });

  test('may be the key of an expired invitation', () => {
    const ledger = ledgerWithGuardians([]);
    configure(ledger, { primary: ANA }, hours(0));
    rotate(ledger, ANA, hours(72));
    expect(mariaIn(ledger).publicKey).toBe(ANA);
  });

  test('is not an eligible guardian’s after a recovery', () => {
    const ledger = ledgerWithGuardians();
    replaceAll(ledger, { primary: OTHER }, hours(1));
    for (const key of [ANA, CELIA, OTHER]) {
      expectTaken(() => confirm(ledger, recoveryRequest(hours(2), key), BRUNO, hours(2)));
    }
  });

  test('may be the key of an open invitation in a recovery, which removes that invitation', () => {
    const ledger = ledgerWithGuardians([ANA, BRUNO]);
    const { invited } = configure(ledger, { primary: ANA, secondary: BRUNO, tertiary: NEW }, hours(1));
    recover(ledger, [ANA, BRUNO], hours(2));
    expect(guardiansByRole(ledger)).toEqual({ primary: ANA, secondary: BRUNO });
    const [invitation] = invited;
    if (!invitation) throw new Error('No guardian was invited.');
    expect(refusalOf(() => accept(ledger, invitation, NEW, hours(3))).code).toBe('LINK_EXPIRED');
  });
});
