import { refusal } from '../errors.ts';
import { requireIeoIn } from '../operations/ieo-key-operation.ts';
import { parseTimestamp } from '../time.ts';
import type { Entities } from './entities.ts';
import { type Certification, type CertLevel, type Ieo, UNCERTIFIED } from './ieo.ts';
import type { Decision } from './proposal.ts';
import type { Instant } from './recorded.ts';

/**
 * The institution after a decision.
 * @throws IEO_NOT_FOUND, IEO_DESTROYED, IEO_NOT_ACTIVE or NOT_LOCKED if its status does not allow the decision
 */
export function applyDecision(decision: Decision, entities: Entities, ieoId: string, at: Instant): Ieo {
  switch (decision.action) {
    case 'suspendIEO':
      return { ...ieoIn(['ACTIVE', 'LOCKED']), status: 'SUSPENDED', lockedAt: null, updatedAt: at };
    case 'reinstateIEO': {
      const ieo = ieoIn(['ACTIVE', 'LOCKED', 'SUSPENDED']);
      if (ieo.status !== 'SUSPENDED') throw refusal('NOT_LOCKED', 'The institution is not suspended.');
      return { ...ieo, status: 'ACTIVE', updatedAt: at };
    }
    case 'revokeIEO':
      return { ...ieoIn(['ACTIVE', 'LOCKED', 'SUSPENDED']), status: 'REVOKED', lockedAt: null, updatedAt: at };
    case 'changeCertLevel': {
      const ieo = ieoIn(['ACTIVE', 'LOCKED', 'SUSPENDED']);
      const { level, expiresAt } = decision.params;
      const { categories, intents } = ieo.certification;
      return { ...ieo, certification: newCertification({ level, expiresAt, categories, intents }, at), updatedAt: at };
    }
  }

  function ieoIn(statuses: readonly Ieo['status'][]): Ieo {
    return requireIeoIn(statuses, entities, ieoId);
  }
}

interface Certificate {
  readonly level: CertLevel;
  readonly expiresAt?: string | null | undefined;
  readonly categories?: readonly string[] | null | undefined;
  readonly intents?: readonly string[] | null | undefined;
}

/** A certification granted at `at`. @throws VALIDATION_FAILED if `expiresAt` is not after `at` */
export function newCertification({ level, expiresAt, categories, intents }: Certificate, at: Instant): Certification {
  if (level === 'UNCERTIFIED') return UNCERTIFIED;
  const end = expiresAt ? (parseTimestamp(expiresAt) ?? Number.NaN) : null;
  if (end !== null && !(end > Date.parse(at))) {
    throw refusal('VALIDATION_FAILED', 'The expiresAt of the certification must be in the future.', {
      issues: [{ path: 'expiresAt', message: 'must be in the future' }],
    });
  }
  return {
    level,
    grantedAt: at,
    expiresAt: end === null ? null : new Date(end).toISOString(),
    categories: categories ?? [],
    intents: intents ?? [],
  };
}
