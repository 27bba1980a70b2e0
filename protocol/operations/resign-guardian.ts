import { z } from 'zod';
import type { Beo } from '../entities/beo.ts';
import type { Guardian } from '../entities/guardian.ts';
import { obsoleteRows } from '../entities/recovery.ts';
import { withoutGuardian } from '../entities/social-recovery.ts';
import { refusal } from '../errors.ts';
import { defineOperation } from '../operation.ts';
import { domain, uuid as uuidText } from '../response-shapes.ts';
import { entityReference, uuid } from '../shapes.ts';
import { requireBeo, requireUnlocked } from './beo-key-operation.ts';

const fields = z.strictObject({ beoId: entityReference, guardianId: uuid });
type Fields = z.infer<typeof fields>;

export const NO_SUCH_GUARDIAN = 'The identity has no such guardian.';

/** A guardian who has accepted, including removed guardians in their grace period; else null. */
export function registeredGuardian(
  { recovery }: Pick<Beo, 'recovery'>,
  guardianId: string,
): (Guardian & { publicKey: string }) | null {
  const guardian = recovery.guardians.find((other) => other.guardianId === guardianId);
  if (!guardian || guardian.acceptedAt === null || guardian.publicKey === null) return null;
  return { ...guardian, publicKey: guardian.publicKey };
}

/** A guardian resigns, without a grace period; the guardian's confirmations become void. An extension. Protocol §1. */
export const resignGuardian = defineOperation<Fields, Fields>()({
  name: 'resignGuardian',
  function: 'resignGuardian',
  title: 'Resign as a guardian',
  reserved: true,
  routes: [{ method: 'POST', path: '/api/guardian/resign', limit: 'guardian_link' }],
  status: 200,
  fields,
  subjects: { holder: { kind: 'BEO', field: 'beoId' } },
  about: { role: 'holder' },
  signer: { guardianOf: 'holder', idField: 'guardianId' },
  expectedKey: 'guardian',
  publicFacts: ({ fields: { beoId, guardianId } }) => ({ beoId, guardianId: guardianId.toLowerCase() }),

  transition(entities, { entityId, publicFacts: { guardianId }, signer, acceptedAt: at }) {
    const beo = requireBeo(entities, entityId);
    requireUnlocked(beo);
    const guardian = registeredGuardian(beo, guardianId);
    if (!guardian) throw refusal('NOT_FOUND', NO_SUCH_GUARDIAN);
    if (guardian.publicKey !== signer) throw refusal('INVALID_SIGNATURE', undefined, { expected_key: 'guardian' });
    const recovery = withoutGuardian(beo.recovery, guardian);
    return {
      changes: [{ ...beo, recovery, updatedAt: at }],
      rowsToDelete: obsoleteRows(beo.recovery.guardians, recovery.guardians),
    };
  },

  errors: ['NOT_FOUND', 'BEO_LOCKED'],
  response: z.object({ guardian_id: uuidText, status: z.literal('REMOVED'), beo_domain: domain.nullable() }),
  answer({ entityId, entities, publicFacts: { guardianId } }) {
    const beo = entities.get('BEO', entityId);
    if (!beo) throw refusal('INTERNAL');
    return { guardian_id: guardianId, status: 'REMOVED' as const, beo_domain: beo.domain };
  },
});
