import { describe, expect, test } from 'vitest';
import {
  type Guardian,
  guardianAnswer,
  invitationEnds,
  invitationProblem,
  isPresent,
  NO_RECOVERY,
  recoveryView,
} from './guardian.ts';
import type { GuardianId, InvitationId } from './ids.ts';

const AT = '2026-01-31T12:00:00.000Z';
const HOUR = 3_600_000;

const guardian: Guardian = {
  guardianId: 'guardian' as GuardianId,
  invitationId: 'invitation' as InvitationId,
  role: 'primary',
  publicKey: 'aa',
  status: 'PENDING',
  addedAt: AT,
  acceptedAt: null,
  confirmedAt: null,
  namedAt: null,
  removedAt: null,
  countsUntil: null,
};

describe('an invitation', () => {
  const statusAt = (now: number, changes: Partial<Guardian> = {}) =>
    recoveryView({ enabled: true, guardians: [{ ...guardian, ...changes }] }, now).guardians[0]?.status;

  test('runs out 72 hours after it was made, by the clock of the reader', () => {
    expect(invitationEnds(AT)).toBe('2026-02-03T12:00:00.000Z');
    expect(statusAt(Date.parse(AT) + 72 * HOUR - 1)).toBe('PENDING');
    expect(statusAt(Date.parse(AT) + 72 * HOUR)).toBe('EXPIRED');
  });

  test('that was accepted does not', () => {
    const accepted = { status: 'ACTIVE', acceptedAt: AT } as const;
    expect(statusAt(Date.parse(AT) + 1_000 * HOUR, accepted)).toBe('ACTIVE');
  });
});

describe('a recovery configuration as it is read', () => {
  test('says what was accepted and what the holder confirmed, and never an invitation', () => {
    const accepted = { ...guardian, status: 'ACTIVE', acceptedAt: AT, confirmedAt: AT } as const;
    const view = recoveryView({ enabled: true, guardians: [accepted] }, 0);
    expect(view.guardians).toEqual([
      {
        guardian_id: 'guardian',
        role: 'primary',
        public_key: 'aa',
        status: 'ACTIVE',
        accepted: true,
        confirmed: true,
        added_at: AT,
        accepted_at: AT,
      },
    ]);
  });

  test('shows who was removed for as long as the word of that guardian counts', () => {
    const [until, ends] = ['2026-02-03T12:00:00.000Z', Date.parse('2026-02-03T12:00:00.000Z')];
    const removed = { ...guardian, status: 'REMOVED', acceptedAt: AT, removedAt: AT, countsUntil: until } as const;
    const recovery = { enabled: false, guardians: [removed, { ...removed, countsUntil: null }] };
    expect(recoveryView(recovery, ends - 1).guardians).toEqual([
      expect.objectContaining({ guardian_id: 'guardian', status: 'REMOVED', accepted: true }),
    ]);
    expect(recoveryView(recovery, ends).guardians).toEqual([]);
    expect(recoveryView(recovery, null).guardians).toEqual([]);
  });

  test('says EXPIRED of an invitation that ran out, whether a new epoch or time has ended it', () => {
    const statuses = (now: number | null) =>
      recoveryView({ enabled: true, guardians: [guardian, { ...guardian, status: 'EXPIRED' }] }, now).guardians.map(
        ({ status }) => status,
      );
    expect(statuses(Date.parse(AT))).toEqual(['PENDING', 'EXPIRED']);
    expect(statuses(Date.parse(AT) + 72 * HOUR)).toEqual(['EXPIRED', 'EXPIRED']);
    expect(statuses(null)).toEqual(['PENDING', 'EXPIRED']);
  });

  test('has its threshold even where there is none', () => {
    expect(recoveryView(NO_RECOVERY, 0)).toEqual({ enabled: false, threshold: 2, guardians: [] });
  });
});

describe('why an invitation cannot be accepted', () => {
  const now = Date.parse(AT);
  const accepted = { ...guardian, status: 'ACTIVE', acceptedAt: AT } as const;
  test.each<[string, Guardian | undefined, number, string | null, object | undefined]>([
    ['it can', guardian, now, null, undefined],
    ['it ran out', guardian, now + 72 * HOUR, 'LINK_EXPIRED', { expires_at: invitationEnds(AT) }],
    [
      'a new epoch ended it',
      { ...guardian, status: 'EXPIRED' },
      now,
      'LINK_EXPIRED',
      { expires_at: invitationEnds(AT) },
    ],
    ['it was accepted', accepted, now, 'LINK_USED', undefined],
    ['it was accepted long ago', accepted, now + 72 * HOUR, 'LINK_USED', undefined],
    ['who accepted it was removed', { ...accepted, status: 'REMOVED' }, now, 'LINK_USED', undefined],
    ['it was withdrawn', { ...guardian, status: 'REMOVED' }, now, 'LINK_EXPIRED', { reason: 'SUPERSEDED' }],
    ['there is none', undefined, now, 'LINK_EXPIRED', { reason: 'SUPERSEDED' }],
  ])('%s', (_, invited, at, code, details) => {
    const problem = invitationProblem(invited, at);
    expect([problem?.code ?? null, problem?.details]).toEqual([code, details]);
  });

  test('a guardian holds a place while invited and once accepted, and not afterwards', () => {
    expect(isPresent(guardian, now + 72 * HOUR - 1)).toBe(true);
    expect(isPresent(guardian, now + 72 * HOUR)).toBe(false);
    expect(isPresent(accepted, now + 1_000 * HOUR)).toBe(true);
    for (const status of ['REMOVED', 'EXPIRED'] as const) expect(isPresent({ ...accepted, status }, now)).toBe(false);
  });
});

test('an operation on one guardian is answered with that one, and the domain it is for', () => {
  const other = { ...guardian, guardianId: 'other' as GuardianId, role: 'tertiary' } as const;
  const beo = { domain: 'maria.bsp', recovery: { enabled: true, guardians: [guardian, other] } };
  expect(guardianAnswer(beo, ({ guardianId }) => guardianId === 'other')).toEqual({
    guardian_id: 'other',
    role: 'tertiary',
    status: 'PENDING',
    beo_domain: 'maria.bsp',
  });
  expect(() => guardianAnswer(beo, () => false)).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
});
