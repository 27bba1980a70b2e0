import { describe, expect, test } from 'vitest';
import { GUARDIAN_ROLES, type GuardianRole } from '../../../../protocol/entities/guardian.ts';
import { screenFor, stepOf } from './guardian-screens.ts';
import { freePlace, type GuardianView, guardiansStatusOf, isReady, type RecoveryView, without } from './status.ts';

const ADDED = '2026-11-20T10:00:00.000Z';
const ENDS = '2026-11-23T10:00:00.000Z';

type State = 'free' | 'invited' | 'lapsed' | 'accepted' | 'confirmed';
const STATES: readonly State[] = ['free', 'invited', 'lapsed', 'accepted', 'confirmed'];
const STATUS = { invited: 'PENDING', lapsed: 'EXPIRED', accepted: 'ACTIVE', confirmed: 'ACTIVE' } as const;

const guardian = (role: GuardianRole, status: GuardianView['status'], confirmed = false) =>
  ({
    guardian_id: `${role}, ${status}`,
    role,
    status,
    public_key: status === 'ACTIVE' || status === 'REMOVED' ? `key of ${role}` : null,
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

const all: State[][] = STATES.flatMap((first) =>
  STATES.flatMap((second) => STATES.map((third) => [first, second, third])),
);

describe('the status of the guardians', () => {
  test('derives the readiness from the eligible guardians: all who accepted, or only the confirmed ones', () => {
    expect(all).toHaveLength(125);
    const cases = all.flatMap((states) =>
      [false, true].flatMap((required) =>
        [false, true].map((confirmedBefore) => ({ states, required, confirmedBefore })),
      ),
    );
    for (const { states, required, confirmedBefore } of cases) {
      const countOf = (state: State) => states.filter((other) => other === state).length;
      const onlyConfirmed = required || confirmedBefore;
      const eligibleCount = countOf('confirmed') + (onlyConfirmed ? 0 : countOf('accepted'));
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

  test('is `off` while recovery is turned off, but only if there is a guardian or an open invitation', () => {
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

  test('makes unconfirmed guardians ineligible once any guardian was confirmed, even a removed one', () => {
    for (const states of all) {
      const confirmed = states.filter((state) => state === 'confirmed').length;
      expect(guardiansStatusOf(recoveryOf(states), true).eligibleCount).toBe(confirmed);
    }
  });

  test('lists removed guardians without counting them as eligible', () => {
    const { guardians, ...rest } = recoveryOf(['free', 'accepted', 'confirmed']);
    const removed = guardian('primary', 'REMOVED', true);
    const guardiansStatus = guardiansStatusOf({ ...rest, guardians: [...guardians, removed] }, false);
    expect(guardiansStatus).toMatchObject({ eligibleCount: 2, readiness: 'two', leaving: [removed] });
    expect(guardiansStatus.places[0]).toMatchObject({ state: 'free', guardian: null });
  });

  test('takes the eligibility from listGuardians where that was read', () => {
    const recovery = recoveryOf(['confirmed', 'accepted', 'accepted']);
    const ids = recovery.guardians.map(({ guardian_id }) => guardian_id);
    expect(guardiansStatusOf(recovery, true, new Set(ids.slice(0, 2))).places.map(({ eligible }) => eligible)).toEqual([
      true,
      true,
      false,
    ]);
    expect(guardiansStatusOf(recovery, false, new Set()).readiness).toBe('none');
  });

  test('can be derived without one of the guardians', () => {
    const recovery = recoveryOf(['confirmed', 'confirmed', 'accepted']);
    const [first, , third] = recovery.guardians;
    if (!first || !third) throw new Error('There are three guardians.');
    expect(without(recovery, first, true).readiness).toBe('one');
    expect(without(recovery, third, true).readiness).toBe('two');
    const oneConfirmed = recoveryOf(['confirmed', 'accepted', 'accepted']);
    const [confirmed] = oneConfirmed.guardians;
    if (!confirmed) throw new Error('There are three guardians.');
    expect(without(oneConfirmed, confirmed, true).readiness).toBe('none');
    expect(without(oneConfirmed, confirmed, false).readiness).toBe('two');
  });
});

test('an invitation expires after 72 hours', () => {
  expect(guardiansStatusOf(recoveryOf(['invited', 'lapsed', 'free']), false).places.map(({ ends }) => ends)).toEqual([
    ENDS,
    null,
    null,
  ]);
});

test('the next invitation is for the first place without a guardian or an open invitation', () => {
  for (const states of all) {
    const free = states.findIndex((state) => state === 'free' || state === 'lapsed');
    expect(freePlace(guardiansStatusOf(recoveryOf(states), false))?.role).toBe(GUARDIAN_ROLES[free]);
  }
});

describe('the screen for a step', () => {
  const guardiansStatus = guardiansStatusOf(recoveryOf(['accepted', 'invited', 'free']), false);
  const situation = { guardiansStatus, locked: false, unshared: false, links: false, request: false, compared: null };
  const kindFor = (requested: string | null, more = {}) => screenFor(requested, { ...situation, ...more }).kind;

  test('is about a guardian in a matching state', () => {
    for (const kind of ['call', 'compare', 'differ', 'remove'] as const) {
      expect(kindFor(stepOf(kind, 'primary'))).toBe(kind);
    }
    expect(kindFor(stepOf('reinvite', 'secondary'))).toBe('reinvite');
    expect(kindFor(stepOf('remove', 'secondary'))).toBe('remove');
    expect(kindFor(stepOf('invite', 'tertiary'))).toBe('invite');
  });

  test('confirms only the key whose words were compared', () => {
    const { guardian_id: guardianId, public_key } = guardiansStatus.places[0]?.guardian ?? {};
    const compared = { guardianId, publicKey: public_key };
    const requested = stepOf('confirm', 'primary');
    expect(kindFor(requested)).toBe('compare');
    expect(kindFor(requested, { compared })).toBe('confirm');
    expect(kindFor(requested, { compared: { ...compared, publicKey: 'another key' } })).toBe('compare');
    expect(kindFor(requested, { compared: { ...compared, guardianId: 'another guardian' } })).toBe('compare');
  });

  test('is the list for a step that is unknown or does not match the status', () => {
    const unavailable = [
      stepOf('call', 'secondary'),
      stepOf('reinvite', 'primary'),
      stepOf('invite', 'primary'),
      'call-unknown',
    ];
    for (const requested of [null, 'list', 'links', 'request', 'enable', 'remove', '', ...unavailable]) {
      expect({ requested, kind: kindFor(requested) }).toEqual({ requested, kind: 'list' });
    }
  });

  test('shows new links until they are passed on', () => {
    const unshared = { unshared: true, links: true };
    expect(kindFor('links', unshared)).toBe('links');
    expect(kindFor(stepOf('invite', 'secondary'), unshared)).toBe('links');
    expect(kindFor('list', unshared)).toBe('list');
  });

  test('shows the links that this browser kept where they are asked for', () => {
    expect(kindFor('links', { links: true })).toBe('links');
    expect(kindFor(stepOf('invite', 'secondary'), { links: true })).toBe('list');
  });

  test('does not lead to changes while the identity is locked', () => {
    const locked = { locked: true, request: true };
    for (const place of guardiansStatus.places) {
      for (const kind of ['invite', 'call', 'compare', 'confirm', 'differ', 'remove', 'reinvite'] as const) {
        expect(kindFor(stepOf(kind, place.role), locked)).toBe('list');
      }
    }
    expect(kindFor('require', locked)).toBe('list');
    expect(kindFor('request', locked)).toBe('request');
  });

  test('offers to require confirmed guardians only where they are not required', () => {
    expect(kindFor('require')).toBe('require');
    expect(kindFor('require', { guardiansStatus: { ...guardiansStatus, required: true } })).toBe('list');
  });

  test('offers to turn recovery on only where it is off', () => {
    const off = guardiansStatusOf(recoveryOf(['accepted', 'free', 'free'], false), false);
    expect(kindFor('enable', { guardiansStatus: off })).toBe('enable');
  });
});
