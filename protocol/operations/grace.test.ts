import { describe, expect, test } from 'vitest';
import {
  ANA,
  accept,
  asked,
  BRUNO,
  CELIA,
  configure,
  confirm,
  counting,
  guardianOf,
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
  vouch,
} from './test-guardians.ts';
import { key, refusalOf } from './test-requests.ts';

const [XENO, YURI, ZITA] = [key('7'), key('8'), key('9')];
const THIEVES = { primary: XENO, secondary: YURI, tertiary: ZITA };
const ALL = { primary: ANA, secondary: BRUNO, tertiary: CELIA };

describe('a guardian who was removed', () => {
  test.each([
    ['all are replaced', THIEVES],
    ['nobody is named', {}],
    ['the configuration is taken away', null],
  ])('counts for 72 hours, to the millisecond, where %s', (_, named) => {
    const ledger = mariaWith();
    configure(ledger, named, hours(10));
    expect(guardianOf(ledger, ANA)).toMatchObject({ status: 'REMOVED', removedAt: hours(10), countsUntil: hours(82) });
    expect(counting(ledger, hours(82, -1))).toEqual([ANA, BRUNO, CELIA]);
    expect(counting(ledger, hours(82))).toEqual([]);
  });

  test('71 hours ago still confirms, and one who was 73 hours ago does not', () => {
    for (const [after, done] of [
      [71, true],
      [73, false],
    ] as const) {
      const ledger = mariaWith();
      configure(ledger, null, hours(10));
      const attempt = () => recover(ledger, [ANA, BRUNO], hours(10 + after));
      if (done) attempt();
      else expect(refusalOf(attempt)).toMatchObject({ code: 'LINK_EXPIRED', details: { reason: 'SUPERSEDED' } });
      expect(mariaIn(ledger).publicKey === NEW).toBe(done);
    }
  });

  test('has no more time for being removed with others again', () => {
    const ledger = mariaWith();
    for (const hour of [10, 40, 70]) configure(ledger, null, hours(hour));
    expect(counting(ledger, hours(82, -1))).toEqual([ANA, BRUNO, CELIA]);
    expect(counting(ledger, hours(82))).toEqual([]);
  });

  test('does not count where the holder never confirmed it and has confirmed others', () => {
    const ledger = mariaWith([ANA, BRUNO, CELIA], [ANA, BRUNO]);
    configure(ledger, null, hours(10));
    expect(counting(ledger, hours(10))).toEqual([ANA, BRUNO]);
    expect(refusalOf(() => confirm(ledger, asked(hours(11)), CELIA, hours(11))).code).toBe('LINK_EXPIRED');
  });

  test('confirms together with one who was not', () => {
    const ledger = mariaWith();
    configure(ledger, { primary: ANA }, hours(10));
    recover(ledger, [ANA, CELIA], hours(81));
    expect(seats(ledger)).toEqual(ALL);
  });

  test('who had confirmed before that has confirmed', () => {
    const ledger = mariaWith();
    const request = asked(hours(9));
    confirm(ledger, request, ANA, hours(9));
    configure(ledger, { secondary: BRUNO }, hours(10));
    confirm(ledger, request, BRUNO, hours(80));
    expect(mariaIn(ledger).publicKey).toBe(NEW);
  });
});

describe('a configuration that is turned off', () => {
  test('lets its guardians count for 72 hours, and is on again after a recovery', () => {
    const ledger = mariaWith();
    configure(ledger, ALL, hours(10), false);
    expect(guardianOf(ledger, ANA)).toMatchObject({ status: 'ACTIVE', countsUntil: hours(82) });
    expect(counting(ledger, hours(82, -1))).toEqual([ANA, BRUNO, CELIA]);
    expect(counting(ledger, hours(82))).toEqual([]);
    recover(ledger, [BRUNO, CELIA], hours(82, -1));
    expect(mariaIn(ledger).recovery.enabled).toBe(true);
    expect(counting(ledger, hours(1_000))).toEqual([ANA, BRUNO, CELIA]);
  });

  test('gives them their whole time each time, when it was on in between', () => {
    const ledger = mariaWith();
    configure(ledger, ALL, hours(10), false);
    configure(ledger, ALL, hours(20));
    expect(guardianOf(ledger, ANA).countsUntil).toBeNull();
    configure(ledger, ALL, hours(30), false);
    expect(counting(ledger, hours(102, -1))).toEqual([ANA, BRUNO, CELIA]);
  });
});

describe('after a recovery', () => {
  test('those removed in the last 72 hours are guardians again, and who took their places is gone', () => {
    const ledger = mariaWith([ANA, BRUNO, CELIA], [ANA, BRUNO, CELIA]);
    replaceAll(ledger, THIEVES, hours(10));
    for (const thief of Object.values(THIEVES)) vouch(ledger, thief, hours(11));
    recover(ledger, [ANA, BRUNO], hours(81));
    expect(seats(ledger)).toEqual(ALL);
    expect(counting(ledger, hours(1_000))).toEqual([ANA, BRUNO, CELIA]);
    for (const thief of Object.values(THIEVES)) {
      expect(refusalOf(() => confirm(ledger, asked(hours(82)), thief, hours(82))).code).toBe('LINK_EXPIRED');
    }
  });

  test('so they are though the thief has moved those who stayed into other roles', () => {
    const ledger = mariaWith();
    configure(ledger, { tertiary: ANA }, hours(10));
    join(ledger, 'primary', XENO, hours(11));
    join(ledger, 'secondary', YURI, hours(11));
    recover(ledger, [BRUNO, CELIA], hours(12));
    expect(seats(ledger)).toEqual({ primary: ANA, secondary: BRUNO, tertiary: CELIA });
  });

  test('so they are though the thief has moved everybody, in several steps', () => {
    const ledger = mariaWith();
    configure(ledger, { primary: BRUNO, secondary: CELIA, tertiary: null }, hours(10));
    configure(ledger, { secondary: BRUNO, primary: null, tertiary: null }, hours(11));
    replaceAll(ledger, THIEVES, hours(12));
    recover(ledger, [ANA, CELIA], hours(13));
    expect(Object.values(seats(ledger)).sort()).toEqual([ANA, BRUNO, CELIA]);
  });

  test('those are gone whom the thief had named and removed again', () => {
    const ledger = mariaWith();
    replaceAll(ledger, THIEVES, hours(10));
    replaceAll(ledger, { primary: OTHER }, hours(11));
    expect(counting(ledger, hours(11))).toEqual(expect.arrayContaining([ANA, BRUNO, CELIA, OTHER]));
    recover(ledger, [ANA, BRUNO], hours(12));
    expect(seats(ledger)).toEqual(ALL);
    expect(counting(ledger, hours(12))).toEqual([ANA, BRUNO, CELIA]);
  });

  test('a thief who names others again and again fills nothing', () => {
    const ledger = mariaWith();
    for (let hour = 10; hour < 60; hour += 1) {
      const [primary, secondary] = [1, 2].map((number) => `${number}${hour}`.padStart(64, '7'));
      replaceAll(ledger, { primary: primary ?? '', secondary: secondary ?? '' }, hours(hour));
    }
    expect(mariaIn(ledger).recovery.guardians.length).toBeLessThanOrEqual(6);
    recover(ledger, [ANA, BRUNO], hours(60));
    expect(seats(ledger)).toEqual(ALL);
  });

  test('those removed longer ago stay so, and who came before them stays', () => {
    const ledger = mariaWith();
    configure(ledger, { primary: ANA, secondary: BRUNO }, hours(10));
    join(ledger, 'tertiary', OTHER, hours(20));
    configure(ledger, { secondary: BRUNO, tertiary: OTHER }, hours(82));
    recover(ledger, [BRUNO, OTHER], hours(83));
    expect(seats(ledger)).toEqual({ primary: ANA, secondary: BRUNO, tertiary: OTHER });
  });

  test('an invitation keeps a place that nobody returns to', () => {
    const ledger = mariaWith([ANA, BRUNO]);
    const invitation = invite(ledger, 'tertiary', hours(10));
    recover(ledger, [ANA, BRUNO], hours(11));
    expect(seats(ledger)).toEqual({ primary: ANA, secondary: BRUNO, tertiary: 'PENDING' });
    accept(ledger, invitation, CELIA, hours(12));
  });

  test('an invitation into the place of one who returns is gone', () => {
    const ledger = mariaWith();
    const [invitation] = configure(ledger, { primary: ANA, secondary: BRUNO, tertiary: null }, hours(10)).invited;
    recover(ledger, [ANA, BRUNO], hours(11));
    expect(seats(ledger)).toEqual(ALL);
    if (!invitation) throw new Error('Nobody was invited.');
    expect(refusalOf(() => accept(ledger, invitation, XENO, hours(12))).code).toBe('LINK_EXPIRED');
  });

  test('by a thief’s own accomplices, the others are guardians again all the same, and for a day nothing can change that', () => {
    const ledger = mariaWith();
    confirm(ledger, asked(hours(9)), ANA, hours(9));
    replaceAll(ledger, THIEVES, hours(10));
    recover(ledger, [XENO, YURI], hours(11), OTHER);
    expect(seats(ledger)).toEqual(ALL);
    expect(refusalOf(() => replaceAll(ledger, THIEVES, hours(35, -1))).code).toBe('RECOVERY_COOLDOWN');
    expect(refusalOf(() => confirm(ledger, asked(hours(9)), BRUNO, hours(12))).code).toBe('REQUEST_CLOSED');
    recover(ledger, [ANA, BRUNO], hours(13));
    expect(mariaIn(ledger)).toMatchObject({ publicKey: NEW, keyVersion: 3 });
  });

  test('whom a thief’s confirmation had unseated counts on, and whom the thief confirmed is gone', () => {
    const ledger = mariaWith();
    configure(ledger, { primary: ANA, secondary: BRUNO }, hours(100));
    join(ledger, 'tertiary', XENO, hours(100));
    vouch(ledger, XENO, hours(101));
    recover(ledger, [ANA, BRUNO], hours(110));
    expect(seats(ledger)).toEqual(ALL);
    expect(counting(ledger, hours(1_000))).toEqual([ANA, BRUNO, CELIA]);
  });

  test('two guardians count on though a thief gave them a third, and confirmed it alone', () => {
    const ledger = mariaWith([ANA, BRUNO]);
    join(ledger, 'tertiary', XENO, hours(100));
    vouch(ledger, XENO, hours(101));
    recover(ledger, [ANA, BRUNO], hours(110));
    expect(counting(ledger, hours(1_000))).toEqual(expect.arrayContaining([ANA, BRUNO]));
  });

  test('a guardian whom the thief removed and asked back is one again, in the place of nobody’s accomplice', () => {
    const ledger = mariaWith();
    configure(ledger, {}, hours(100));
    join(ledger, 'primary', XENO, hours(101));
    join(ledger, 'secondary', ANA, hours(101));
    recover(ledger, [BRUNO, CELIA], hours(110));
    expect(Object.values(seats(ledger)).sort()).toEqual([ANA, BRUNO, CELIA]);
  });
});

test('a guardian whom a thief asks back counts on for the time that was left, whoever is confirmed then', () => {
  const ledger = mariaWith();
  configure(ledger, {}, hours(100));
  join(ledger, 'primary', XENO, hours(101));
  for (const [role, publicKey] of [
    ['secondary', ANA],
    ['tertiary', BRUNO],
  ] as const) {
    join(ledger, role, publicKey, hours(101));
  }
  vouch(ledger, XENO, hours(102));
  expect(counting(ledger, hours(172, -1))).toEqual([XENO, ANA, BRUNO, CELIA].sort());
});
