import { z } from 'zod';
import { domainAvailableAt } from '../entities/entities.ts';
import { NO_SOCIAL_RECOVERY, requireNoCooldown } from '../entities/social-recovery.ts';
import { time } from '../response-shapes.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/**
 * Permanent erasure (LGPD, GDPR) of key, domain, guardians and vault. The tokens end with the identity without a change of their
 * own: see tokenState. Not allowed in the 24 hours after a recovery. Protocol §3, §7.
 */
export const destroyBEO = defineBeoKeyOperation<{ beoId: string }>()({
  name: 'destroyBEO',
  function: 'destroyBEO',
  title: 'Destroy an identity',
  reserved: true,
  routes: [{ method: 'POST', path: '/api/relayer/beo/destroy', limit: 'relayer' }],
  shape: {},
  publicFacts: ({ fields }) => fields,
  events: ['beo.destroyed', 'consent.revoked'],
  touches: (_, { holder }) =>
    holder?.kind === 'BEO' && holder.domain !== null ? [{ kind: 'NAME', id: holder.domain }] : [],
  change(beo, { acceptedAt: at }, entities) {
    requireNoCooldown(beo.recovery, at);
    const name = entities.get('NAME', beo.domain ?? '');
    return {
      changes: [
        {
          ...beo,
          status: 'DESTROYED',
          domain: null,
          publicKey: null,
          lockedAt: null,
          updatedAt: at,
          recovery: NO_SOCIAL_RECOVERY,
        },
        ...(name ? [{ ...name, holder: null, availableAt: domainAvailableAt(at) }] : []),
      ],
      vaultsToErase: [beo.id],
    };
  },
  errors: ['RECOVERY_COOLDOWN'],
  response: z.object({ destroyed_at: time }),
  answer: (_, { acceptedAt: at }) => ({ destroyed_at: at }),
});
