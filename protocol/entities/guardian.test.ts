import { describe, expect, test } from 'vitest';
import type { GuardianId, InvitationId } from '../ids.ts';
import { guardianAnswer } from '../operations/guardian-answer.ts';
import { type Guardian, invitationEnds, isPresent, NO_RECOVERY, recoveryView } from './guardian.ts';
import { invitationProblem } from './invitation.ts';

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

  test('expires after 72 hours', () => {
    expect(invitationEnds(AT)).toBe('2026-02-03T12:00:00.000Z');
    expect(statusAt(Date.parse(AT) + 72 * HOUR - 1)).toBe('PENDING');
    expect(statusAt(Date.parse(AT) + 72 * HOUR)).toBe('EXPIRED');
  });

  test('does not expire once it was accepted', () => {
    const accepted = { status: 'ACTIVE', acceptedAt: AT } as const;
    expect(statusAt(Date.parse(AT) + 1_000 * HOUR, accepted)).toBe('ACTIVE');
  });
});

describe('the view of a recovery configuration', () => {
  test('shows acceptance and confirmation, but no invitation id', () => {
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

  test('shows a removed guardian until the grace period ends', () => {
    const [until, ends] = ['2026-02-03T12:00:00.000Z', Date.parse('2026-02-03T12:00:00.000Z')];
    const removed = { ...guardian, status: 'REMOVED', acceptedAt: AT, removedAt: AT, countsUntil: until } as const;
    const recovery = { enabled: false, guardians: [removed, { ...removed, countsUntil: null }] };
    expect(recoveryView(recovery, ends - 1).guardians).toEqual([
      expect.objectContaining({ guardian_id: 'guardian', status: 'REMOVED', accepted: true }),
    ]);
    expect(recoveryView(recovery, ends).guardians).toEqual([]);
    expect(recoveryView(recovery, null).guardians).toEqual([]);
  });

  test('shows EXPIRED for an invitation that time or a new epoch expired', () => {
    const statuses = (now: number | null) =>
      recoveryView({ enabled: true, guardians: [guardian, { ...guardian, status: 'EXPIRED' }] }, now).guardians.map(
        ({ status }) => status,
      );
    expect(statuses(Date.parse(AT))).toEqual(['PENDING', 'EXPIRED']);
    expect(statuses(Date.parse(AT) + 72 * HOUR)).toEqual(['EXPIRED', 'EXPIRED']);
    expect(statuses(null)).toEqual(['PENDING', 'EXPIRED']);
  });

  test('has a threshold even without guardians', () => {
    expect(recoveryView(NO_RECOVERY, 0)).toEqual({ enabled: false, threshold: 2, guardians: [] });
  });
});

describe('why an invitation cannot be accepted', () => {
  const now = Date.parse(AT);
  const accepted = { ...guardian, status: 'ACTIVE', acceptedAt: AT } as const;
  test.each<[string, Guardian | undefined, number, string | null, object | undefined]>([
    ['none for an open invitation', guardian, now, null, undefined],
    ['it expired', guardian, now + 72 * HOUR, 'LINK_EXPIRED', { expires_at: invitationEnds(AT) }],
    [
      'a new epoch expired it',
      { ...guardian, status: 'EXPIRED' },
      now,
      'LINK_EXPIRED',
      { expires_at: invitationEnds(AT) },
    ],
    ['it was accepted', accepted, now, 'LINK_USED', undefined],
    ['it was accepted long ago', accepted, now + 72 * HOUR, 'LINK_USED', undefined],
    ['the guardian who accepted it was removed', { ...accepted, status: 'REMOVED' }, now, 'LINK_USED', undefined],
    ['it was withdrawn', { ...guardian, status: 'REMOVED' }, now, 'LINK_EXPIRED', { reason: 'SUPERSEDED' }],
    ['it does not exist', undefined, now, 'LINK_EXPIRED', { reason: 'SUPERSEDED' }],
  ])('%s', (_, invited, at, code, details) => {
    const problem = invitationProblem(invited, at);
    expect([problem?.code ?? null, problem?.details]).toEqual([code, details]);
  });

  test('a guardian is present while invited and after accepting, but not once removed or expired', () => {
    expect(isPresent(guardian, now + 72 * HOUR - 1)).toBe(true);
    expect(isPresent(guardian, now + 72 * HOUR)).toBe(false);
    expect(isPresent(accepted, now + 1_000 * HOUR)).toBe(true);
    for (const status of ['REMOVED', 'EXPIRED'] as const) expect(isPresent({ ...accepted, status }, now)).toBe(false);
  });
});

test('the response to an operation on a guardian has that guardian and the domain', () => {
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
