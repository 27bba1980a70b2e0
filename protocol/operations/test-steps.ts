import type { Entity, EntityKind, EntityOf } from '../entities/entities.ts';
import type { GuardianRole } from '../entities/guardian.ts';
import type { CertLevel } from '../entities/ieo.ts';
import type { Approver } from '../entities/proposal.ts';
import { activeGuardianWithKey, type PublicGuardian } from '../entities/recovery.ts';
import { eligibleGuardians, NO_SOCIAL_RECOVERY } from '../entities/social-recovery.ts';
import type { Scope } from '../entities/token.ts';
import type { GuardianId, InvitationId } from '../ids.ts';
import { type AnyOperation, OPERATIONS } from '../operations.ts';
import { acceptGuardian } from './accept-guardian.ts';
import { cancelRecovery } from './cancel-recovery.ts';
import { confirmGuardian } from './confirm-guardian.ts';
import { confirmRecovery } from './confirm-recovery.ts';
import { createBEO } from './create-beo.ts';
import { inviteGuardian } from './invite-guardian.ts';
import { revokeAllFromIEO } from './revoke-all-from-ieo.ts';
import { revokeByIntent } from './revoke-by-intent.ts';
import { rotateBEOKey } from './rotate-beo-key.ts';
import { rotateIEOKey } from './rotate-ieo-key.ts';
import type { Request, TestLedger } from './test-ledger.ts';
import {
  approval,
  byHolder,
  byInstitution,
  certificationUpdate,
  consentGrant,
  ieoCreation,
  key,
  newProposal,
  submission,
  withdrawal,
} from './test-requests.ts';
import { updateBEORecovery } from './update-beo-recovery.ts';

/** Test code: the steps of a random history, and the request for each step. */

interface ConfiguredGuardian {
  readonly role: GuardianRole;
  /** The hex digit of the key that the invitation is bound to. */
  readonly digit: string | null;
}

/** A step. `entity` and `guardian` are indexes of existing ones, modulo their number; a digit is repeated to form a key. */
export type Step =
  | { type: 'create'; domain: string; digit: string; guardians: readonly ConfiguredGuardian[] }
  | { type: 'register'; domain: string; digit: string; ieoType: string }
  | { type: 'holder operation' | 'institution operation'; operation: string; entity: number }
  | { type: 'rotate'; whose: 'BEO' | 'IEO'; entity: number; digit: string }
  | { type: 'grant'; entity: number; to: number | null; scope: Scope; days: number | null }
  | { type: 'withdraw'; entity: number }
  | { type: 'submit'; entity: number; count: number }
  | { type: 'revoke from'; entity: number; from: number | null }
  | { type: 'revoke by intent'; entity: number; intent: Scope['intents'][number] }
  | { type: 'propose'; action: string; entity: number; approver: Approver }
  | { type: 'approve'; entity: number; approver: Approver }
  | { type: 'certify'; entity: number; level: CertLevel }
  | { type: 'invite'; entity: number; role: GuardianRole }
  | { type: 'accept'; entity: number; guardian: number; digit: string }
  | { type: 'confirm guardian'; entity: number; guardian: number }
  | { type: 'configure'; entity: number; guardians: readonly ConfiguredGuardian[]; enabled: boolean }
  | { type: 'confirm recovery'; entity: number; slot: number; guardian: number; digit: string; age: number }
  | { type: 'cancel recovery'; entity: number; slot: number };

/** The value of `entity` for an unknown id. */
export const UNKNOWN = 20;

/** Two people and two institutions, with which every history begins. */
export const INITIAL_STEPS: readonly Step[] = [
  { type: 'create', domain: 'ana.bsp', digit: 'a', guardians: [] },
  { type: 'create', domain: 'bruno.bsp', digit: 'b', guardians: [] },
  { type: 'register', domain: 'lab.bsp', digit: 'c', ieoType: 'LAB' },
  { type: 'register', domain: 'watch.bsp', digit: 'd', ieoType: 'WEARABLE' },
];

const operationNamed = (name: string): AnyOperation =>
  OPERATIONS.find((operation) => operation.name === name) as AnyOperation;
export const all = <Kind extends EntityKind>(entities: readonly Entity[], kind: Kind): EntityOf<Kind>[] =>
  entities.filter((entity): entity is EntityOf<Kind> => entity.kind === kind);

/** The id of an existing person or institution, or an unknown id. */
function partyId(ledger: TestLedger, kind: 'BEO' | 'IEO', index: number): string {
  const existing = all(ledger.all(), kind);
  return (index === UNKNOWN ? null : existing[index % existing.length]?.id) ?? 'unknown';
}

/** The id of an existing token or proposal; null if there is none. */
function existingId(ledger: TestLedger, kind: 'TOKEN' | 'PROPOSAL', index: number): string | null {
  const existing = all(ledger.all(), kind);
  return existing[index % existing.length]?.id ?? null;
}

/** Null if the step needs an entity that does not exist yet. */
export function requestOf(step: Step, index: number, ledger: TestLedger, now: number): Request | null {
  switch (step.type) {
    case 'create': {
      const invited = step.guardians.map((guardian) => configuredGuardian(index, guardian));
      const publicKey = key(step.digit.toLowerCase());
      const publicFacts = { domain: step.domain, publicKey, enabled: invited.length > 0, guardians: invited };
      return { operation: createBEO, entityId: `beo ${index}`, publicFacts };
    }
    case 'register': {
      const { domain, ieoType, digit } = step;
      return ieoCreation({ domain, ieoType, publicKey: key(digit.toLowerCase()) }, `ieo ${index}`);
    }
    case 'holder operation':
      return byHolder(operationNamed(step.operation), {}, partyId(ledger, 'BEO', step.entity));
    case 'institution operation':
      return byInstitution(operationNamed(step.operation), {}, partyId(ledger, 'IEO', step.entity));
    case 'rotate': {
      const newPublicKey = key(step.digit);
      const entityId = partyId(ledger, step.whose, step.entity);
      return step.whose === 'BEO'
        ? byHolder(rotateBEOKey, { newPublicKey }, entityId)
        : byInstitution(rotateIEOKey, { newPublicKey }, entityId);
    }
    case 'grant': {
      const holder = partyId(ledger, 'BEO', step.entity);
      const grantee = step.to === null ? holder : partyId(ledger, 'IEO', step.to);
      return consentGrant({ holder, grantee, scope: step.scope, expiresInDays: step.days }, `token ${index}`);
    }
    case 'withdraw': {
      const tokenId = existingId(ledger, 'TOKEN', step.entity);
      return tokenId === null ? null : withdrawal(tokenId);
    }
    case 'submit': {
      const usable = all(ledger.all(), 'TOKEN').filter(({ scope }) => scope.intents.includes('SUBMIT_RECORD'));
      const token = usable[step.entity % usable.length] ?? all(ledger.all(), 'TOKEN')[0];
      return token ? submission(step.count, token.id, token.beoId) : null;
    }
    case 'revoke from': {
      const holder = partyId(ledger, 'BEO', step.entity);
      const grantee = step.from === null ? holder : partyId(ledger, 'IEO', step.from);
      return { ...byHolder(revokeAllFromIEO, { ieoId: grantee }, holder), assigned: { grantee } };
    }
    case 'revoke by intent':
      return byHolder(revokeByIntent, { intent: step.intent }, partyId(ledger, 'BEO', step.entity));
    case 'propose': {
      const ieoId = partyId(ledger, 'IEO', step.entity);
      const params = step.action === 'changeCertLevel' ? { level: 'BASIC' } : { reason: 'Results are wrong.' };
      const entityId = `proposal ${index}`;
      return newProposal(step.action as 'suspendIEO', params, { entityId, approver: step.approver, ieoId });
    }
    case 'approve': {
      const proposalId = existingId(ledger, 'PROPOSAL', step.entity);
      return proposalId === null ? null : approval(step.approver, proposalId);
    }
    case 'certify':
      return certificationUpdate({ level: step.level }, partyId(ledger, 'IEO', step.entity));
    default:
      return guardianRequest(step, index, ledger, now);
  }
}

type GuardianStep = Extract<
  Step,
  { type: 'invite' | 'accept' | 'confirm guardian' | 'configure' | 'confirm recovery' | 'cancel recovery' }
>;

function configuredGuardian(
  index: number,
  { role, digit }: { role: GuardianRole; digit: string | null },
): PublicGuardian {
  return {
    guardian_id: `${index} ${role}` as GuardianId,
    invitation_id: `${index} invitation ${role}` as InvitationId,
    role,
    public_key: digit && key(digit.toLowerCase()),
  };
}

function guardianRequest(step: GuardianStep, index: number, ledger: TestLedger, now: number): Request | null {
  const holder = partyId(ledger, 'BEO', step.entity);
  const recovery = ledger.find('BEO', holder)?.recovery ?? NO_SOCIAL_RECOVERY;
  const pick = <Value>(values: readonly Value[], index: number) => values[index % values.length];
  switch (step.type) {
    case 'invite':
      return byHolder(
        inviteGuardian,
        { guardian: configuredGuardian(index, { role: step.role, digit: null }) },
        holder,
      );
    case 'configure': {
      const guardians = step.guardians.map((guardian) => {
        const invited = configuredGuardian(index, guardian);
        const active =
          invited.public_key === null ? undefined : activeGuardianWithKey(invited.public_key, recovery.guardians);
        return active ? { ...invited, guardian_id: active.guardianId, invitation_id: active.invitationId } : invited;
      });
      return byHolder(updateBEORecovery, { enabled: step.enabled, guardians }, holder);
    }
    case 'accept': {
      const open = recovery.guardians.filter((guardian) => guardian.acceptedAt === null);
      const invited = pick(open, step.guardian) ?? pick(recovery.guardians, step.guardian);
      const publicKey = invited?.publicKey ?? key(step.digit.toLowerCase());
      return byHolder(acceptGuardian, { invitationId: invited?.invitationId ?? 'none', publicKey }, holder);
    }
    case 'confirm guardian': {
      const { guardianId, publicKey } = pick(recovery.guardians, step.guardian) ?? {
        guardianId: 'none',
        publicKey: null,
      };
      return byHolder(confirmGuardian, { guardianId, publicKey: publicKey ?? key('a') }, holder);
    }
    case 'cancel recovery':
      return byHolder(cancelRecovery, { requestId: `request ${step.slot} of ${holder}` }, holder);
    case 'confirm recovery': {
      const requestId = `request ${step.slot} of ${holder}`;
      const existing = recovery.requests.find((request) => request.requestId === requestId);
      const newPublicKey = existing?.newPublicKey ?? key(step.digit.toLowerCase());
      const opened_at = existing?.openedAt ?? new Date(now - step.age).toISOString();
      const signer = pick(eligibleGuardians(recovery, now), step.guardian)?.publicKey ?? key('e');
      return { ...byHolder(confirmRecovery, { requestId, newPublicKey }, holder), signer, assigned: { opened_at } };
    }
  }
}
