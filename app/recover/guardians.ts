import { GUARDIAN_ROLES, type GuardianRole } from '../../protocol/entities/guardian.ts';
import { fieldsOf } from '../_session/post.ts';

export interface PresentGuardian {
  readonly id: string;
  readonly role: GuardianRole;
  readonly accepted: boolean;
  /** ISO 8601: when it accepted, else when it was invited. */
  readonly since: string;
}

const PRESENT = ['ACTIVE', 'PENDING'];

/** The guardians in the response of `GET /api/beos/:id` that have accepted or are invited. */
export function presentGuardians(body: Readonly<Record<string, unknown>>): PresentGuardian[] {
  const { guardians } = fieldsOf(fieldsOf(body.beo).recovery);
  return (Array.isArray(guardians) ? guardians : []).map(fieldsOf).flatMap((guardian) => {
    const { guardian_id: id, status, added_at: added, accepted_at: accepted } = guardian;
    const role = GUARDIAN_ROLES.find((candidate) => candidate === guardian.role);
    if (!role || typeof id !== 'string' || typeof added !== 'string' || !PRESENT.includes(String(status))) return [];
    const isAccepted = typeof accepted === 'string';
    return [{ id, role, accepted: isAccepted, since: isAccepted ? accepted : added }];
  });
}
