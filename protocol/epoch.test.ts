import { expect, test } from 'vitest';
import type { Beo } from './beo.ts';
import { beginEpochFor, epochBeginning, readEpochBeginning } from './epoch.ts';
import type { Guardian } from './guardian.ts';

const at = '2026-01-31T12:00:00.000Z';

const guardian = (role: Guardian['role'], status: Guardian['status']) => ({ role, status }) as Guardian;

const beoWith = (...guardians: Guardian[]) =>
  ({
    kind: 'BEO',
    id: 'x',
    updatedAt: '2026-01-01T00:00:00.000Z',
    recovery: { enabled: true, guardians },
  }) as unknown as Beo;

test('a new epoch ends the invitations that are open, and leaves everything else', () => {
  const [active, removed] = [guardian('secondary', 'ACTIVE'), guardian('tertiary', 'REMOVED')];
  const changed = beginEpochFor(beoWith(guardian('primary', 'PENDING'), active, removed), at);
  expect(changed?.updatedAt).toBe(at);
  expect(changed?.recovery).toEqual({ enabled: true, guardians: [guardian('primary', 'EXPIRED'), active, removed] });
  expect(beginEpochFor(beoWith(active, removed), at)).toBeNull();
  expect(beginEpochFor(beoWith(), at)).toBeNull();
});

test('the message of a beginEpoch entry is read as it is written, and nothing else is', () => {
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
