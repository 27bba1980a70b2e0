import { describe, expect, test } from 'vitest';
import type { Beo, Guardian } from './entities.ts';
import { beginEpochFor, epochBeginning, readEpochBeginning } from './epoch.ts';
import type { BeoId, GuardianId, InvitationId, TransactionId } from './ids.ts';

const [AT, LATER] = ['2026-01-31T12:00:00.000Z', '2026-03-01T12:00:00.000Z'];

const guardian = (role: Guardian['role'], status: Guardian['status']): Guardian => ({
  guardianId: role as string as GuardianId,
  invitationId: role as string as InvitationId,
  role,
  publicKey: null,
  status,
  addedAt: AT,
  acceptedAt: status === 'ACTIVE' ? AT : null,
  confirmedAt: null,
});

const withGuardians = (...guardians: Guardian[]): Beo => ({
  kind: 'BEO',
  id: 'maria' as BeoId,
  domain: 'maria.bsp',
  publicKey: 'aa',
  keyVersion: 1,
  status: 'ACTIVE',
  createdAt: AT,
  updatedAt: AT,
  lockedAt: null,
  recovery: { enabled: true, guardians },
  transactionId: 'transaction' as TransactionId,
  seq: 1,
});

describe('the beginning of an epoch', () => {
  test('is read as it was written', () => {
    expect(readEpochBeginning(epochBeginning(2, 0))).toEqual({ function: 'beginEpoch', epoch: 2, last: 0 });
  });

  test.each([
    null,
    {},
    { ...epochBeginning(1, 0) },
    { ...epochBeginning(2, -1) },
    { ...epochBeginning(2, 0.5) },
    { ...epochBeginning(2, 0), function: 'createBEO' },
    { ...epochBeginning(2, 0), colour: 'red' },
  ])('is not %j', (message) => {
    expect(readEpochBeginning(message)).toBeNull();
  });
});

describe('what a new epoch does to an identity', () => {
  test('ends the invitations that are open, whose links are lost, and nothing else', () => {
    const before = withGuardians(guardian('primary', 'PENDING'), guardian('secondary', 'ACTIVE'));
    expect(beginEpochFor(before, LATER)).toEqual({
      ...withGuardians(guardian('primary', 'EXPIRED'), guardian('secondary', 'ACTIVE')),
      updatedAt: LATER,
    });
  });

  test('leaves one without open invitations as it is', () => {
    expect(beginEpochFor(withGuardians(), LATER)).toBeNull();
    expect(
      beginEpochFor(withGuardians(guardian('primary', 'ACTIVE'), guardian('tertiary', 'EXPIRED')), LATER),
    ).toBeNull();
  });
});
