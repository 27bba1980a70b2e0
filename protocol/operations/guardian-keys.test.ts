import { describe, expect, test } from 'vitest';
import { rotateBEOKey } from './rotate-beo-key.ts';
import {
  ANA,
  accept,
  asked,
  BRUNO,
  CELIA,
  configure,
  confirm,
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
  replaceAll,
  seats,
} from './test-guardians.ts';
import type { TestLedger } from './test-ledger.ts';
import { own, refusalOf } from './test-requests.ts';

const rotate = (ledger: TestLedger, newPublicKey: string, moment: string) =>
  ledger.submit(own(rotateBEOKey, { newPublicKey }), moment);
const taken = (action: () => unknown, role?: string) =>
  expect(refusalOf(action)).toMatchObject({ code: 'PUBLIC_KEY_TAKEN', ...(role ? { details: { role } } : {}) });

describe('one person cannot be two: whoever accepts an invitation', () => {
  test('is not the holder, by the present key', () => {
    const ledger = mariaWith([]);
    const invitation = invite(ledger, 'primary', hours(0));
    rotate(ledger, NEW, hours(1));
    taken(() => accept(ledger, invitation, NEW, hours(1)));
    accept(ledger, invitation, HOLDER, hours(1));
  });

  test('is not a guardian already, nor somebody whose key the holder has bound', () => {
    const ledger = mariaWith([]);
    const { invited } = configure(ledger, { primary: null, secondary: BRUNO, tertiary: null }, hours(0));
    const [first, , third] = invited;
    if (!first || !third) throw new Error('They were not invited.');
    taken(() => accept(ledger, first, BRUNO, hours(1)), 'secondary');
    accept(ledger, first, ANA, hours(1));
    taken(() => accept(ledger, third, ANA, hours(1)), 'primary');
  });

  test('may be somebody whose invitation ran out', () => {
    const ledger = mariaWith([]);
    configure(ledger, { secondary: BRUNO }, hours(0));
    join(ledger, 'primary', BRUNO, hours(72));
    expect(seats(ledger).primary).toBe(BRUNO);
  });

  test('is one guardian where it was removed and is asked back: it keeps what time is left, once', () => {
    const ledger = mariaWith();
    configure(ledger, { primary: ANA, secondary: BRUNO }, hours(1));
    expect(guardianOf(ledger, CELIA).countsUntil).toBe(hours(73));
    join(ledger, 'tertiary', CELIA, hours(2));
    const having = mariaIn(ledger).recovery.guardians.filter(({ publicKey }) => publicKey === CELIA);
    expect(having).toEqual([expect.objectContaining({ status: 'ACTIVE', countsUntil: hours(73) })]);
    const request = asked(hours(3));
    confirm(ledger, request, CELIA, hours(3));
    expect(refusalOf(() => confirm(ledger, request, CELIA, hours(3))).code).toBe('ALREADY_CONFIRMED');
  });
});

test('a guardian whom the holder had confirmed and asks back is confirmed still', () => {
  const ledger = mariaWith([ANA, BRUNO], [ANA, BRUNO]);
  configure(ledger, { secondary: BRUNO }, hours(1));
  join(ledger, 'primary', ANA, hours(2));
  recover(ledger, [ANA, BRUNO], hours(100));
  expect(seats(ledger)).toEqual({ primary: ANA, secondary: BRUNO });
});

describe('one person cannot be two: whoever the holder names', () => {
  test('is not the holder, nor another who is named', () => {
    const ledger = mariaWith();
    taken(() => configure(ledger, { primary: HOLDER }, hours(1)), 'primary');
    taken(() => configure(ledger, { primary: null, secondary: OTHER, tertiary: OTHER }, hours(1)), 'tertiary');
    taken(() => configure(ledger, { primary: ANA, secondary: ANA.toUpperCase() }, hours(1)), 'secondary');
  });

  test('may be a guardian who was removed', () => {
    const ledger = mariaWith();
    configure(ledger, null, hours(1));
    const [invitation] = configure(ledger, { tertiary: ANA }, hours(2)).invited;
    if (!invitation) throw new Error('She was not invited.');
    accept(ledger, invitation, ANA, hours(3));
    expect(seats(ledger)).toEqual({ tertiary: ANA });
  });
});

describe('one person cannot be two: the holder', () => {
  test.each([
    ['who is there', () => mariaWith()],
    [
      'who was named by key and has not accepted',
      () => {
        const ledger = mariaWith([]);
        configure(ledger, { primary: ANA }, hours(0));
        return ledger;
      },
    ],
    [
      'who was removed less than 72 hours ago',
      () => {
        const ledger = mariaWith();
        configure(ledger, null, hours(0));
        return ledger;
      },
    ],
  ])('does not rotate onto the key of a guardian %s', (_, begin) => {
    const ledger = begin();
    for (const key of [ANA, ANA.toUpperCase()]) taken(() => rotate(ledger, key, hours(71)));
    expect(mariaIn(ledger)).toMatchObject({ publicKey: HOLDER, keyVersion: 1 });
  });

  test('may take a key that a guardian had once', () => {
    const ledger = mariaWith();
    configure(ledger, null, hours(0));
    rotate(ledger, ANA, hours(72));
    expect(mariaIn(ledger).publicKey).toBe(ANA);
  });

  test('may take a key that an invitation named which ran out', () => {
    const ledger = mariaWith([]);
    configure(ledger, { primary: ANA }, hours(0));
    rotate(ledger, ANA, hours(72));
    expect(mariaIn(ledger).publicKey).toBe(ANA);
  });

  test('does not get a guardian’s key by a recovery, present, in grace or unseated', () => {
    const ledger = mariaWith();
    replaceAll(ledger, { primary: OTHER }, hours(1));
    for (const key of [ANA, CELIA, OTHER]) {
      taken(() => confirm(ledger, asked(hours(2), key), BRUNO, hours(2)));
    }
  });

  test('gets one that a guardian was only invited with: that invitation is gone then', () => {
    const ledger = mariaWith([ANA, BRUNO]);
    const { invited } = configure(ledger, { primary: ANA, secondary: BRUNO, tertiary: NEW }, hours(1));
    recover(ledger, [ANA, BRUNO], hours(2));
    expect(seats(ledger)).toEqual({ primary: ANA, secondary: BRUNO });
    const [invitation] = invited;
    if (!invitation) throw new Error('Nobody was invited.');
    expect(refusalOf(() => accept(ledger, invitation, NEW, hours(3))).code).toBe('LINK_EXPIRED');
  });
});
