import { domainAvailableAt } from '../entities.ts';
import { NO_RECOVERY } from '../guardian.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/**
 * Permanent erasure, named for LGPD and GDPR: key, domain, guardians and the vault end here. Its tokens end with it without a
 * change of their own: see tokenState. Protocol §3, §7.
 */
export const destroyBEO = defineBeoKeyOperation<{ beoId: string }>({
  name: 'destroyBEO',
  function: 'destroyBEO',
  routes: [{ method: 'POST', path: '/api/relayer/beo/destroy', limit: 'relayer' }],
  shape: {},
  change(beo, _, at, entities) {
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
          recovery: NO_RECOVERY,
        },
        ...(name ? [{ ...name, holder: null, availableAt: domainAvailableAt(at) }] : []),
      ],
      erases: [beo.id],
    };
  },
  answer: (_, { acceptedAt: at }) => ({ destroyed_at: at }),
});
