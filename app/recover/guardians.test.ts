import { expect, test } from 'vitest';
import { presentGuardians } from './guardians.ts';

const ADDED = '2026-01-30T12:00:00.000Z';
const ACCEPTED = '2026-01-31T12:00:00.000Z';
type Named = Parameters<typeof presentGuardians>[0][number];
const guardian = (role: Named['role'], status: Named['status'], accepted_at: string | null = ACCEPTED) => ({
  guardian_id: `guardian ${role}`,
  role,
  status,
  added_at: ADDED,
  accepted_at,
});

test('returns the guardians who accepted or are invited', () => {
  const guardians = [
    guardian('primary', 'ACTIVE'),
    guardian('secondary', 'PENDING', null),
    guardian('tertiary', 'REMOVED'),
    guardian('tertiary', 'EXPIRED', null),
  ];
  expect(presentGuardians(guardians)).toEqual([
    { id: 'guardian primary', role: 'primary', accepted: true, since: ACCEPTED },
    { id: 'guardian secondary', role: 'secondary', accepted: false, since: ADDED },
  ]);
});
