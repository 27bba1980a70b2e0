import { describe, expect, test } from 'vitest';
import { recovery as shape } from '../../protocol/shapes.ts';
import { type Change, configurationOf, invitedAnew, placesAfter } from './configuration.ts';
import { type RecoveryView, standingOf } from './standing.ts';

const AT = '2026-11-20T10:00:00.000Z';
const PEOPLE = {
  primary: { name: ' Maria ', contact: ' maria@example.org ' },
  secondary: { name: 'João', contact: '+55 11 91234-5678' },
  tertiary: { name: 'Ana', contact: 'ana@example.org' },
};
const key = (digit: string) => digit.repeat(64);

const recovery = {
  enabled: true,
  threshold: 2,
  guardians: [
    { role: 'primary', status: 'ACTIVE', public_key: key('a'), confirmed: true },
    { role: 'secondary', status: 'PENDING', public_key: null, confirmed: false },
    { role: 'tertiary', status: 'ACTIVE', public_key: key('c'), confirmed: false },
  ].map((one) => ({ ...one, guardian_id: one.role, accepted: false, added_at: AT, accepted_at: null })),
} as unknown as RecoveryView;
const standing = standingOf(recovery, false);

describe('a change of the guardians', () => {
  test('keeps by their keys those who accepted, and leaves out who is removed', () => {
    expect(configurationOf(standing, { kind: 'remove', role: 'tertiary' }, PEOPLE)).toEqual({
      enabled: true,
      guardians: [
        { role: 'primary', name: 'Maria', contact: 'maria@example.org', public_key: key('a') },
        { role: 'secondary', name: 'João', contact: '+55 11 91234-5678', public_key: null },
      ],
    });
  });

  test('names everybody for a new link, of whom those with an open invitation get one', () => {
    const change: Change = { kind: 'anew', role: 'secondary' };
    const staying = placesAfter(standing, change);
    expect(staying.map(({ role }) => role)).toEqual(['primary', 'secondary', 'tertiary']);
    expect(invitedAnew(staying).map(({ role }) => role)).toEqual(['secondary']);
  });

  test('leaves recovery turned off unless it is turned on', () => {
    const off = standingOf({ ...recovery, enabled: false }, false);
    expect(configurationOf(off, { kind: 'remove', role: 'primary' }, PEOPLE)).toMatchObject({ enabled: false });
    expect(configurationOf(off, { kind: 'enable' }, PEOPLE)).toMatchObject({ enabled: true });
  });

  test('drops invitations that ran out, and needs a name for everybody else', () => {
    const guardians = recovery.guardians.map((one) => (one.role === 'secondary' ? { ...one, status: 'EXPIRED' } : one));
    const lapsed = standingOf({ ...recovery, guardians } as RecoveryView, false);
    expect(placesAfter(lapsed, { kind: 'remove', role: 'primary' }).map(({ role }) => role)).toEqual(['tertiary']);
    expect(() => configurationOf(lapsed, { kind: 'remove', role: 'primary' }, {})).toThrow('tertiary');
  });

  test('has the form that the service takes', () => {
    for (const change of [{ kind: 'enable' }, { kind: 'remove', role: 'primary' }] as const) {
      expect(shape.safeParse(configurationOf(standing, change, PEOPLE)).success).toBe(true);
    }
  });
});
