import type { Beo } from '../../client/types.ts';
import type { GuardianRole } from '../../protocol/entities/guardian.ts';

export interface PresentGuardian {
  readonly id: string;
  readonly role: GuardianRole;
  readonly accepted: boolean;
  /** ISO 8601: when it accepted, else when it was invited. */
  readonly since: string;
}

type Named = Pick<Beo['recovery']['guardians'][number], 'guardian_id' | 'role' | 'status' | 'added_at' | 'accepted_at'>;

/** The guardians of an identity that have accepted or are invited. */
export const presentGuardians = (guardians: readonly Named[]): PresentGuardian[] =>
  guardians
    .filter(({ status }) => status === 'ACTIVE' || status === 'PENDING')
    .map(({ guardian_id: id, role, added_at: added, accepted_at: accepted }) => ({
      id,
      role,
      accepted: accepted !== null,
      since: accepted ?? added,
    }));
