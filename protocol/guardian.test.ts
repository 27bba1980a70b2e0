import { describe, expect, test } from 'vitest';
import { type Guardian, invitationEnds, NO_RECOVERY, recoveryView } from './guardian.ts';
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

  test('has its threshold even where there is none', () => {
    expect(recoveryView(NO_RECOVERY, 0)).toEqual({ enabled: false, threshold: 2, guardians: [] });
  });
});
