import { describe, expect, test } from 'vitest';
import { ProtocolError } from '../errors.ts';
import type { GuardianId, InvitationId } from '../ids.ts';
import type { Guardian } from './guardian.ts';
import {
  activeRecoveryView,
  type ConfirmedRequest,
  eligibleGuardians,
  NO_SOCIAL_RECOVERY,
  requestProblem,
  requireEligibleGuardians,
  requireFreeKey,
  requireNoCooldown,
  type SocialRecovery,
} from './social-recovery.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-01-31T12:00:00.000Z');
const hours = (count: number, ms = 0): string => new Date(START + count * HOUR + ms).toISOString();
const time = (count: number, ms = 0): number => START + count * HOUR + ms;

const guardian = (publicKey: string | null, changes: Partial<Guardian> = {}): Guardian => ({
  guardianId: `guardian ${publicKey}` as GuardianId,
  invitationId: 'invitation' as InvitationId,
  role: 'primary',
  publicKey,
  status: 'ACTIVE',
  addedAt: hours(0),
  acceptedAt: hours(0),
  confirmedAt: null,
  namedAt: null,
  removedAt: null,
  countsUntil: null,
  ...changes,
});

const guarded = (guardians: readonly Guardian[], changes: Partial<SocialRecovery> = {}): SocialRecovery => ({
  ...NO_SOCIAL_RECOVERY,
  enabled: true,
  guardians,
  ...changes,
});

const codeOf = (action: () => unknown): string => {
  try {
    action();
    return 'OK';
  } catch (error) {
    if (error instanceof ProtocolError) return error.code;
    throw error;
  }
};

describe('an eligible guardian', () => {
  const until = { countsUntil: hours(5) };
  test.each<[string, Partial<Guardian>, Partial<SocialRecovery>, number, boolean]>([
    ['has accepted', {}, {}, time(0), true],
    ['has accepted: not while PENDING', { status: 'PENDING', acceptedAt: null }, {}, time(0), false],
    ['has accepted: not once EXPIRED', { status: 'EXPIRED', acceptedAt: null }, {}, time(0), false],
    [
      'is confirmed if the holder has confirmed a guardian: not without a confirmation',
      {},
      { confirmedSince: '2026-01-30T12:00:00.000Z' },
      time(0),
      false,
    ],
    [
      'is confirmed if the holder has confirmed a guardian',
      { confirmedAt: hours(1) },
      { confirmedSince: '2026-01-30T12:00:00.000Z' },
      time(0),
      true,
    ],
    ['needs an enabled configuration', { confirmedAt: hours(1) }, { enabled: false }, time(0), false],
    [
      'may be in the grace period after a removal',
      { status: 'REMOVED', ...until },
      { enabled: false },
      time(5, -1),
      true,
    ],
    ['is not in the grace period once it ends', { status: 'REMOVED', ...until }, {}, time(5), false],
    [
      'may be unconfirmed in the grace period',
      until,
      { confirmedSince: '2026-01-30T12:00:00.000Z' },
      time(5, -1),
      true,
    ],
    ['must be confirmed after the grace period', until, { confirmedSince: '2026-01-30T12:00:00.000Z' }, time(5), false],
  ])('%s', (_, changes, recovery, now, isEligible) => {
    expect(eligibleGuardians(guarded([guardian('aa', changes)], recovery), now)).toHaveLength(isEligible ? 1 : 0);
  });

  test('is listed once per key, and not without a key', () => {
    const removed = guardian('aa', { status: 'REMOVED', countsUntil: hours(5), role: 'tertiary' });
    const present = guardian('aa', { guardianId: 'present' as GuardianId });
    for (const guardians of [
      [removed, present],
      [present, removed],
    ]) {
      const eligible = eligibleGuardians(guarded([...guardians, guardian(null)]), time(0));
      expect(eligible.map(({ guardianId }) => guardianId)).toEqual(['present']);
    }
  });

  test('is not enough alone: a recovery needs two', () => {
    const two = guarded([guardian('aa'), guardian('bb')]);
    expect(requireEligibleGuardians(two, time(0)).map(({ publicKey }) => publicKey)).toEqual(['aa', 'bb']);
    for (const few of [
      NO_SOCIAL_RECOVERY,
      guarded([guardian('aa')]),
      guarded([guardian('aa'), guardian('aa', { status: 'REMOVED', countsUntil: hours(5) })]),
      guarded([guardian('aa'), guardian('bb', { status: 'PENDING', acceptedAt: null })]),
      { ...two, enabled: false },
    ]) {
      expect(codeOf(() => requireEligibleGuardians(few, time(0)))).toBe('RECOVERY_NOT_CONFIGURED');
    }
  });
});

describe('requireFreeKey: the key of', () => {
  const beo = (changes: Partial<Guardian>) => ({ publicKey: 'cc', recovery: guarded([guardian('aa', changes)]) });
  const pending = { status: 'PENDING', acceptedAt: null } as const;
  test.each<[string, string, Partial<Guardian>, number, string]>([
    ['the holder', 'cc', {}, time(0), 'PUBLIC_KEY_TAKEN'],
    ['no party of the identity', 'dd', {}, time(0), 'OK'],
    ['a guardian', 'aa', {}, time(1_000), 'PUBLIC_KEY_TAKEN'],
    ['an open invitation', 'aa', pending, time(72, -1), 'PUBLIC_KEY_TAKEN'],
    ['an expired invitation', 'aa', pending, time(72), 'OK'],
    ['an invitation that a new epoch expired', 'aa', { ...pending, status: 'EXPIRED' }, time(0), 'OK'],
    [
      'a removed guardian in the grace period',
      'aa',
      { status: 'REMOVED', countsUntil: hours(5) },
      time(5, -1),
      'PUBLIC_KEY_TAKEN',
    ],
    ['a removed guardian after the grace period', 'aa', { status: 'REMOVED', countsUntil: hours(5) }, time(5), 'OK'],
  ])('%s', (_, key, changes, now, code) => {
    expect(codeOf(() => requireFreeKey(beo(changes), key, now))).toBe(code);
  });
});

describe('a recovery request', () => {
  const recovered = guarded([], { recoveredAt: hours(10) });
  test.each<[string, SocialRecovery, string, number, string | null]>([
    ['is open for 72 hours', guarded([]), hours(0), time(72, -1), null],
    ['expires after 72 hours', guarded([]), hours(0), time(72), 'LINK_EXPIRED'],
    ['is closed by a recovery', recovered, hours(9), time(11), 'REQUEST_CLOSED'],
    ['is closed by a recovery at the same time', recovered, hours(10), time(11), 'REQUEST_CLOSED'],
    ['is not closed by an earlier recovery', recovered, hours(10, 1), time(11), null],
    ['is reported as closed rather than expired', recovered, hours(9), time(100), 'REQUEST_CLOSED'],
  ])('%s', (_, recovery, openedAt, now, code) => {
    expect(requestProblem(recovery, { requestId: 'request', openedAt }, now)?.code ?? null).toBe(code);
  });

  test('is shown if it is open: the one with the most confirmations, the latest of equals', () => {
    const request = (requestId: string, openedAt: string, count: number): ConfirmedRequest => ({
      requestId,
      newPublicKey: 'ff',
      openedAt,
      confirmations: Array.from({ length: count }, (_, index) => ({
        guardianId: `guardian ${index}` as GuardianId,
        publicKey: `key ${index}`,
        asserted: false,
        at: openedAt,
      })),
    });
    const requests = [request('first', hours(1), 1), request('more', hours(0), 2), request('last', hours(3), 1)];
    const shown = (now: number, changes: Partial<SocialRecovery> = {}) =>
      activeRecoveryView(guarded([], { requests, ...changes }), now)?.request_id ?? null;
    expect(shown(time(4))).toBe('more');
    expect(shown(time(72))).toBe('last');
    expect(shown(time(75))).toBeNull();
    expect(shown(time(4), { requests: requests.toReversed().slice(0, 1) })).toBe('last');
    expect(shown(time(4), { requests: [request('first', hours(1), 1), request('last', hours(3), 1)] })).toBe('last');
    expect(shown(time(4), { recoveredAt: hours(2) })).toBe('last');
    expect(shown(time(4), { recoveredAt: hours(3) })).toBeNull();
    expect(shown(time(4), { requests: [] })).toBeNull();
  });
});

test('the cooldown lasts 24 hours; the error has its end', () => {
  const cooling = guarded([], { recoveredAt: hours(0) });
  expect(() => requireNoCooldown(cooling, hours(24, -1))).toThrow(
    expect.objectContaining({ code: 'RECOVERY_COOLDOWN', details: { until: hours(24) } }),
  );
  expect(codeOf(() => requireNoCooldown(cooling, hours(24)))).toBe('OK');
  expect(codeOf(() => requireNoCooldown(guarded([]), hours(0)))).toBe('OK');
});
