import { describe, expect, test } from 'vitest';
import { nextRecovery as shape } from '../../../../protocol/shapes.ts';
import { type Change, configurationOf, placesAfter, reinvited } from './guardian-settings.ts';
import { guardiansStatusOf, type RecoveryView } from './status.ts';

const AT = '2026-11-20T10:00:00.000Z';
const key = (digit: string) => digit.repeat(64);
const id = (digit: string) => `${digit.repeat(8)}-0000-5000-8000-000000000000`;

const recovery = {
  enabled: true,
  threshold: 2,
  confirmed_only: false,
  guardians: [
    { role: 'primary', guardian_id: id('1'), status: 'ACTIVE', public_key: key('a'), confirmed: true },
    { role: 'secondary', guardian_id: id('2'), status: 'PENDING', public_key: key('b'), confirmed: false },
    { role: 'tertiary', guardian_id: id('3'), status: 'ACTIVE', public_key: key('c'), confirmed: false },
  ].map((guardian) => ({ ...guardian, accepted: false, added_at: AT, accepted_at: null })),
} as unknown as RecoveryView;
const guardiansStatus = guardiansStatusOf(recovery, false);

describe('a change of the guardians', () => {
  test('names the other guardians by id, and contains no key', () => {
    expect(configurationOf(guardiansStatus, { kind: 'remove', role: 'tertiary' })).toEqual({
      enabled: true,
      guardians: [
        { role: 'primary', guardian_id: id('1') },
        { role: 'secondary', guardian_id: id('2') },
      ],
    });
    expect(JSON.stringify(configurationOf(guardiansStatus, { kind: 'enable' }))).not.toMatch(/public_key|[abc]{64}/);
  });

  test('re-invites every guardian with an open invitation', () => {
    const change: Change = { kind: 'reinvite', role: 'secondary' };
    const staying = placesAfter(guardiansStatus, change);
    expect(staying.map(({ role }) => role)).toEqual(['primary', 'secondary', 'tertiary']);
    expect(reinvited(staying).map(({ role }) => role)).toEqual(['secondary']);
  });

  test('leaves recovery off unless it is turned on', () => {
    const off = guardiansStatusOf({ ...recovery, enabled: false }, false);
    expect(configurationOf(off, { kind: 'remove', role: 'primary' })).toMatchObject({ enabled: false });
    expect(configurationOf(off, { kind: 'enable' })).toMatchObject({ enabled: true });
  });

  test('drops expired invitations', () => {
    const guardians = recovery.guardians.map((guardian) =>
      guardian.role === 'secondary' ? { ...guardian, status: 'EXPIRED' } : guardian,
    );
    const lapsed = guardiansStatusOf({ ...recovery, guardians } as RecoveryView, false);
    expect(placesAfter(lapsed, { kind: 'remove', role: 'primary' }).map(({ role }) => role)).toEqual(['tertiary']);
  });

  test('is valid for the server', () => {
    for (const change of [{ kind: 'enable' }, { kind: 'remove', role: 'primary' }] as const) {
      expect(shape.safeParse(configurationOf(guardiansStatus, change)).success).toBe(true);
    }
  });
});
