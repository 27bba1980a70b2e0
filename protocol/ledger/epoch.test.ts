import { expect, test } from 'vitest';
import type { Beo } from '../entities/beo.ts';
import type { Guardian } from '../entities/guardian.ts';
import { invitationProblem } from '../entities/invitation.ts';
import { NO_SOCIAL_RECOVERY } from '../entities/social-recovery.ts';
import { beginEpochFor, epochBeginning, readEpochBeginning } from './epoch.ts';

const at = '2026-01-31T12:00:00.000Z';

const guardian = (role: Guardian['role'], status: Guardian['status']) => ({ role, status }) as Guardian;

const beoWith = (...guardians: Guardian[]) =>
  ({
    kind: 'BEO',
    id: 'x',
    updatedAt: '2026-01-01T00:00:00.000Z',
    recovery: { ...NO_SOCIAL_RECOVERY, enabled: true, guardians },
  }) as unknown as Beo;

test('a new epoch expires open invitations and changes no other guardian', () => {
  const [active, removed] = [guardian('secondary', 'ACTIVE'), guardian('tertiary', 'REMOVED')];
  const changed = beginEpochFor(beoWith(guardian('primary', 'PENDING'), active, removed), at);
  expect(changed?.updatedAt).toBe(at);
  expect(changed?.recovery).toEqual({
    ...NO_SOCIAL_RECOVERY,
    enabled: true,
    guardians: [guardian('primary', 'EXPIRED'), active, removed],
  });
  expect(beginEpochFor(beoWith(active, removed), at)).toBeNull();
  expect(beginEpochFor(beoWith(), at)).toBeNull();
});

test('a new epoch removes open recovery requests, and keeps grace periods and the time of a recovery', () => {
  const request = { requestId: 'request', newPublicKey: 'ff', openedAt: at, confirmations: [] };
  const recovery = {
    ...NO_SOCIAL_RECOVERY,
    enabled: true,
    confirmedSince: '2026-01-30T12:00:00.000Z',
    recoveredAt: '2026-01-30T12:00:00.000Z',
    guardians: [{ ...guardian('primary', 'REMOVED'), countsUntil: '2026-02-02T12:00:00.000Z' }],
  };
  const beo = { ...beoWith(), recovery: { ...recovery, requests: [request, request] } };
  expect(beginEpochFor(beo, at)).toEqual({ ...beo, updatedAt: at, recovery: { ...recovery, requests: [] } });
  expect(beginEpochFor({ ...beo, recovery }, at)).toBeNull();
});

test('an invitation that a new epoch expired cannot be accepted', () => {
  const invited = { ...guardian('primary', 'PENDING'), addedAt: at, acceptedAt: null };
  expect(invitationProblem(invited, Date.parse(at))).toBeNull();
  const [ended] = beginEpochFor(beoWith(invited), at)?.recovery.guardians ?? [];
  expect(invitationProblem(ended, Date.parse(at))?.code).toBe('LINK_EXPIRED');
});

test('readEpochBeginning reads what epochBeginning writes, and rejects other messages', () => {
  const message = epochBeginning(2, 41);
  expect(readEpochBeginning(message)).toEqual(message);
  expect(readEpochBeginning(epochBeginning(2, 0))).not.toBeNull();
  for (const wrong of [
    { ...message, epoch: 1 },
    { ...message, last: -1 },
    { ...message, last: '41' },
    { ...message, more: true },
    { ...message, function: 'createBEO' },
    null,
  ]) {
    expect(readEpochBeginning(wrong)).toBeNull();
  }
});
