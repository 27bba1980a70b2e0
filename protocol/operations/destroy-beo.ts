import { domainAvailableAt, NO_RECOVERY } from '../entities.ts';
import { defineBeoKeyOperation } from './beo-key-operation.ts';

/** Permanent erasure, named for LGPD and GDPR: key, domain, guardians and the vault end here. Protocol §3, §7. */
export const destroyBEO = defineBeoKeyOperation<{ beoId: string }>({
  name: 'destroyBEO',
  function: 'destroyBEO',
  route: { method: 'POST', path: '/api/relayer/beo/destroy' },
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
  answer: (_, at) => ({ destroyed_at: at }),
});
