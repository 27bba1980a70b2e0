import { describe, expect, test } from 'vitest';
import { GUARDIAN_ROLES, type GuardianRole } from '../../../../protocol/ids.ts';
import { screenFor, stepOf } from './screen.ts';
import { freePlace, type GuardianView, guardiansStatusOf, isReady, type RecoveryView, without } from './status.ts';

const ADDED = '2026-11-20T10:00:00.000Z';
const ENDS = '2026-11-23T10:00:00.000Z';

type State = 'free' | 'invited' | 'lapsed' | 'accepted' | 'confirmed';
const STATES: readonly State[] = ['free', 'invited', 'lapsed', 'accepted', 'confirmed'];
const STATUS = { invited: 'PENDING', lapsed: 'EXPIRED', accepted: 'ACTIVE', confirmed: 'ACTIVE' } as const;

const guardian = (role: GuardianRole, status: GuardianView['status'], confirmed = false) =>
  ({
    guardian_id: `the ${role} one, ${status}`,
    role,
    status,
    public_key: status === 'ACTIVE' || status === 'REMOVED' ? `the key of the ${role} one` : null,
    accepted: status === 'ACTIVE' || status === 'REMOVED',
    confirmed,
    added_at: ADDED,
    accepted_at: status === 'ACTIVE' || status === 'REMOVED' ? ADDED : null,
  }) as GuardianView;

const recoveryOf = (states: readonly State[], enabled = true): RecoveryView => ({
  enabled,
  threshold: 2,
  confirmed_only: false,
  guardians: states.flatMap((state, index) => {
    const role = GUARDIAN_ROLES[index] ?? 'primary';
    return state === 'free' ? [] : [guardian(role, STATUS[state], state === 'confirmed')];
  }),
});

const all: State[][] = STATES.flatMap((one) => STATES.flatMap((two) => STATES.map((three) => [one, two, three])));

describe('how ready recovery is', () => {
  test('follows from the guardians who count: all who accepted, and once the holder has confirmed or required it the confirmed ones', () => {
    expect(all).toHaveLength(125);
    const cases = all.flatMap((states) =>
      [false, true].flatMap((required) =>
        [false, true].map((confirmedBefore) => ({ states, required, confirmedBefore })),
      ),
    );
    for (const { states, required, confirmedBefore } of cases) {
      const among = (state: State) => states.filter((one) => one === state).length;
      const onlyConfirmed = required || confirmedBefore;
      const eligibleCount = among('confirmed') + (onlyConfirmed ? 0 : among('accepted'));
      const guardiansStatus = guardiansStatusOf({ ...recoveryOf(states), confirmed_only: required }, confirmedBefore);
      expect({ states, ...guardiansStatus }).toMatchObject({
        eligibleCount,
        readiness: ['none', 'one', 'two', 'three'][eligibleCount],
        onlyConfirmed,
        required,
        leaving: [],
      });
      expect(isReady(guardiansStatus)).toBe(eligibleCount >= 2);
      expect(guardiansStatus.places.map(({ role, state }) => [role, state])).toEqual(
        GUARDIAN_ROLES.map((role, index) => [role, states[index]]),
      );
    }
  });

  test('counts nobody while it is turned off, which is said only where somebody has a place', () => {
    for (const states of all) {
      const taken = states.some((state) => state !== 'free' && state !== 'lapsed');
      const { eligibleCount, readiness } = guardiansStatusOf(recoveryOf(states, false), false);
      expect({ states, eligibleCount, readiness }).toEqual({
        states,
        eligibleCount: 0,
        readiness: taken ? 'off' : 'none',
      });
    }
  });

  test('counts no guardian who is not confirmed where another was confirmed before, even one who is long gone', () => {
    for (const states of all) {
      const confirmed = states.filter((state) => state === 'confirmed').length;
      expect(guardiansStatusOf(recoveryOf(states), true).eligibleCount).toBe(confirmed);
    }
  });

  test('does not lean on a guardian who was removed, and names them', () => {
    const { guardians, ...rest } = recoveryOf(['free', 'accepted', 'confirmed']);
    const gone = guardian('primary', 'REMOVED', true);
    const guardiansStatus = guardiansStatusOf({ ...rest, guardians: [...guardians, gone] }, false);
    expect(guardiansStatus).toMatchObject({ eligibleCount: 2, readiness: 'two', leaving: [gone] });
    expect(guardiansStatus.places[0]).toMatchObject({ state: 'free', guardian: null });
  });

  test('is what the service tells the holder of each guardian, where it was asked', () => {
    const recovery = recoveryOf(['confirmed', 'accepted', 'accepted']);
    const ids = recovery.guardians.map(({ guardian_id }) => guardian_id);
    expect(guardiansStatusOf(recovery, true, new Set(ids.slice(0, 2))).places.map(({ counts }) => counts)).toEqual([
      true,
      true,
      false,
    ]);
    expect(guardiansStatusOf(recovery, false, new Set()).readiness).toBe('none');
  });

  test('can be told for the time after somebody is gone', () => {
    const recovery = recoveryOf(['confirmed', 'confirmed', 'accepted']);
    const [first, , third] = recovery.guardians;
    if (!first || !third) throw new Error('There are three guardians.');
    expect(without(recovery, first, true).readiness).toBe('one');
    expect(without(recovery, third, true).readiness).toBe('two');
    const alone = recoveryOf(['confirmed', 'accepted', 'accepted']);
    const [only] = alone.guardians;
    if (!only) throw new Error('There are three guardians.');
    expect(without(alone, only, true).readiness).toBe('none');
    expect(without(alone, only, false).readiness).toBe('two');
  });
});

test('an invitation is good for 72 hours', () => {
  expect(guardiansStatusOf(recoveryOf(['invited', 'lapsed', 'free']), false).places.map(({ ends }) => ends)).toEqual([
    ENDS,
    null,
    null,
  ]);
});

test('the next guardian gets the first place that nobody has or can still take', () => {
  for (const states of all) {
    const free = states.findIndex((state) => state === 'free' || state === 'lapsed');
    expect(freePlace(guardiansStatusOf(recoveryOf(states), false))?.role).toBe(GUARDIAN_ROLES[free]);
  }
});

describe('the screen for an address', () => {
  const guardiansStatus = guardiansStatusOf(recoveryOf(['accepted', 'invited', 'free']), false);
  const situation = { guardiansStatus, locked: false, links: false, request: false, compared: null };
  const kindFor = (asked: string | null, more = {}) => screenFor(asked, { ...situation, ...more }).kind;

  test('is about a guardian for whom it fits', () => {
    for (const kind of ['call', 'compare', 'differ', 'remove'] as const) {
      expect(kindFor(stepOf(kind, 'primary'))).toBe(kind);
    }
    expect(kindFor(stepOf('anew', 'secondary'))).toBe('anew');
    expect(kindFor(stepOf('remove', 'secondary'))).toBe('remove');
    expect(kindFor(stepOf('invite', 'tertiary'))).toBe('invite');
  });

  test('asks to confirm only the key whose words were compared', () => {
    const { guardian_id: guardianId, public_key } = guardiansStatus.places[0]?.guardian ?? {};
    const compared = { guardianId, publicKey: public_key };
    const asked = stepOf('confirm', 'primary');
    expect(kindFor(asked)).toBe('compare');
    expect(kindFor(asked, { compared })).toBe('confirm');
    expect(kindFor(asked, { compared: { ...compared, publicKey: 'another key' } })).toBe('compare');
    expect(kindFor(asked, { compared: { ...compared, guardianId: 'somebody else' } })).toBe('compare');
  });

  test('is the list where it fits nobody, or nothing is asked for', () => {
    const unfit = [stepOf('call', 'secondary'), stepOf('anew', 'primary'), stepOf('invite', 'primary'), 'call-nobody'];
    for (const asked of [null, 'list', 'links', 'request', 'enable', 'remove', '', ...unfit]) {
      expect({ asked, kind: kindFor(asked) }).toEqual({ asked, kind: 'list' });
    }
  });

  test('is that of the links from when they are made until they are passed on', () => {
    expect(kindFor('links', { links: true })).toBe('links');
    expect(kindFor(stepOf('invite', 'secondary'), { links: true })).toBe('links');
    expect(kindFor('list', { links: true })).toBe('list');
  });

  test('leads to nothing that a locked identity refuses', () => {
    const locked = { locked: true, request: true };
    for (const place of guardiansStatus.places) {
      for (const kind of ['invite', 'call', 'compare', 'confirm', 'differ', 'remove', 'anew'] as const) {
        expect(kindFor(stepOf(kind, place.role), locked)).toBe('list');
      }
    }
    expect(kindFor('require', locked)).toBe('list');
    expect(kindFor('request', locked)).toBe('request');
  });

  test('asks to require confirmed guardians only where that was not required', () => {
    expect(kindFor('require')).toBe('require');
    expect(kindFor('require', { guardiansStatus: { ...guardiansStatus, required: true } })).toBe('list');
  });

  test('turns recovery on only where it is off', () => {
    const off = guardiansStatusOf(recoveryOf(['accepted', 'free', 'free'], false), false);
    expect(kindFor('enable', { guardiansStatus: off })).toBe('enable');
  });
});
