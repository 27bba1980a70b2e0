import type { Entity, EntityKind, EntityOf } from '../entities/entities.ts';
import type { CertLevel } from '../entities/ieo.ts';
import type { Approver } from '../entities/proposal.ts';
import { activeGuardianWithKey, type PublicGuardian } from '../entities/recovery.ts';
import { eligibleGuardians, NO_SOCIAL_RECOVERY } from '../entities/social-recovery.ts';
import type { Scope } from '../entities/token.ts';
import type { GuardianId, GuardianRole, InvitationId } from '../ids.ts';
import { type AnyOperation, OPERATIONS } from '../operations.ts';
import { acceptGuardian } from './accept-guardian.ts';
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
  approved,
  certified,
  founded,
  granted,
  key,
  ofIeo,
  own,
  proposed,
  submission,
  withdrawn,
} from './test-requests.ts';
import { updateBEORecovery } from './update-beo-recovery.ts';

/** Test code: the steps of a random history, and the request of each. */

interface Guard {
  readonly role: GuardianRole;
  /** The hex digit of the key that is bound. */
  readonly digit: string | null;
}

/** A step. `which` and `whom` select an existing entity or guardian; a digit is repeated to form a key. */
export type Step =
  | { does: 'create'; domain: string; digit: string; guardians: readonly Guard[] }
  | { does: 'found'; domain: string; digit: string; ieoType: string }
  | { does: 'of a person' | 'of an institution'; operation: string; which: number }
  | { does: 'rotate'; whose: 'BEO' | 'IEO'; which: number; digit: string }
  | { does: 'grant'; which: number; to: number | null; scope: Scope; days: number | null }
  | { does: 'withdraw'; which: number }
  | { does: 'submit'; which: number; count: number }
  | { does: 'revoke from'; which: number; from: number | null }
  | { does: 'revoke by intent'; which: number; intent: Scope['intents'][number] }
  | { does: 'propose'; action: string; which: number; approver: Approver }
  | { does: 'approve'; which: number; approver: Approver }
  | { does: 'certify'; which: number; level: CertLevel }
  | { does: 'invite'; which: number; role: GuardianRole }
  | { does: 'accept'; which: number; whom: number; digit: string }
  | { does: 'confirm guardian'; which: number; whom: number }
  | { does: 'name'; which: number; guardians: readonly Guard[]; enabled: boolean }
  | { does: 'confirm recovery'; which: number; slot: number; whom: number; digit: string; age: number };

/** The value of `which` for an unknown entity. */
export const UNKNOWN = 20;

/** Every history begins with two people and two institutions. */
export const OPENING: readonly Step[] = [
  { does: 'create', domain: 'ana.bsp', digit: 'a', guardians: [] },
  { does: 'create', domain: 'bruno.bsp', digit: 'b', guardians: [] },
  { does: 'found', domain: 'lab.bsp', digit: 'c', ieoType: 'LAB' },
  { does: 'found', domain: 'watch.bsp', digit: 'd', ieoType: 'WEARABLE' },
];

const operationNamed = (name: string): AnyOperation =>
  OPERATIONS.find((operation) => operation.name === name) as AnyOperation;
export const all = <Kind extends EntityKind>(entities: readonly Entity[], kind: Kind): EntityOf<Kind>[] =>
  entities.filter((entity): entity is EntityOf<Kind> => entity.kind === kind);

/** The id of an existing entity, or an unknown id. */
function some(ledger: TestLedger, kind: 'BEO' | 'IEO', which: number): string {
  const existing = all(ledger.all(), kind);
  return (which === UNKNOWN ? null : existing[which % existing.length]?.id) ?? 'unknown';
}
function anyOf(ledger: TestLedger, kind: 'TOKEN' | 'PROPOSAL', which: number): string | null {
  const existing = all(ledger.all(), kind);
  return existing[which % existing.length]?.id ?? null;
}

/** Null if the step needs an entity that does not exist yet. */
export function requestOf(taken: Step, index: number, ledger: TestLedger, now: number): Request | null {
  switch (taken.does) {
    case 'create': {
      const invited = taken.guardians.map((named) => invitedAt(index, named));
      const publicKey = key(taken.digit.toLowerCase());
      const publicFacts = { domain: taken.domain, publicKey, enabled: invited.length > 0, guardians: invited };
      return { operation: createBEO, entityId: `beo ${index}`, publicFacts };
    }
    case 'found': {
      const { domain, ieoType, digit } = taken;
      return founded({ domain, ieoType, publicKey: key(digit.toLowerCase()) }, `ieo ${index}`);
    }
    case 'of a person':
      return own(operationNamed(taken.operation), {}, some(ledger, 'BEO', taken.which));
    case 'of an institution':
      return ofIeo(operationNamed(taken.operation), {}, some(ledger, 'IEO', taken.which));
    case 'rotate': {
      const newPublicKey = key(taken.digit);
      const entityId = some(ledger, taken.whose, taken.which);
      return taken.whose === 'BEO'
        ? own(rotateBEOKey, { newPublicKey }, entityId)
        : ofIeo(rotateIEOKey, { newPublicKey }, entityId);
    }
    case 'grant': {
      const holder = some(ledger, 'BEO', taken.which);
      const grantee = taken.to === null ? holder : some(ledger, 'IEO', taken.to);
      return granted({ holder, grantee, scope: taken.scope, expiresInDays: taken.days }, `token ${index}`);
    }
    case 'withdraw': {
      const tokenId = anyOf(ledger, 'TOKEN', taken.which);
      return tokenId === null ? null : withdrawn(tokenId);
    }
    case 'submit': {
      const usable = all(ledger.all(), 'TOKEN').filter(({ scope }) => scope.intents.includes('SUBMIT_RECORD'));
      const token = usable[taken.which % usable.length] ?? all(ledger.all(), 'TOKEN')[0];
      return token ? submission(taken.count, token.id, token.beoId) : null;
    }
    case 'revoke from': {
      const holder = some(ledger, 'BEO', taken.which);
      const grantee = taken.from === null ? holder : some(ledger, 'IEO', taken.from);
      return { ...own(revokeAllFromIEO, { ieoId: grantee }, holder), assigned: { grantee } };
    }
    case 'revoke by intent':
      return own(revokeByIntent, { intent: taken.intent }, some(ledger, 'BEO', taken.which));
    case 'propose': {
      const ieoId = some(ledger, 'IEO', taken.which);
      const params = taken.action === 'changeCertLevel' ? { level: 'BASIC' } : { reason: 'It has to be.' };
      const entityId = `proposal ${index}`;
      return proposed(taken.action as 'suspendIEO', params, { entityId, approver: taken.approver, ieoId });
    }
    case 'approve': {
      const proposalId = anyOf(ledger, 'PROPOSAL', taken.which);
      return proposalId === null ? null : approved(taken.approver, proposalId);
    }
    case 'certify':
      return certified({ level: taken.level }, some(ledger, 'IEO', taken.which));
    default:
      return guardianRequest(taken, index, ledger, now);
  }
}

type GuardianStep = Extract<Step, { does: 'invite' | 'accept' | 'confirm guardian' | 'name' | 'confirm recovery' }>;

function invitedAt(index: number, { role, digit }: { role: GuardianRole; digit: string | null }): PublicGuardian {
  return {
    guardian_id: `${index} ${role}` as GuardianId,
    invitation_id: `${index} invitation ${role}` as InvitationId,
    role,
    public_key: digit && key(digit.toLowerCase()),
  };
}

function guardianRequest(taken: GuardianStep, index: number, ledger: TestLedger, now: number): Request | null {
  const holder = some(ledger, 'BEO', taken.which);
  const recovery = ledger.find('BEO', holder)?.recovery ?? NO_SOCIAL_RECOVERY;
  const one = <Value>(values: readonly Value[], which: number) => values[which % values.length];
  switch (taken.does) {
    case 'invite':
      return own(inviteGuardian, { guardian: invitedAt(index, { role: taken.role, digit: null }) }, holder);
    case 'name': {
      const guardians = taken.guardians.map((named) => {
        const invited = invitedAt(index, named);
        const active =
          invited.public_key === null ? undefined : activeGuardianWithKey(invited.public_key, recovery.guardians);
        return active ? { ...invited, guardian_id: active.guardianId, invitation_id: active.invitationId } : invited;
      });
      return own(updateBEORecovery, { enabled: taken.enabled, guardians }, holder);
    }
    case 'accept': {
      const open = recovery.guardians.filter((guardian) => guardian.acceptedAt === null);
      const invited = one(open, taken.whom) ?? one(recovery.guardians, taken.whom);
      const publicKey = invited?.publicKey ?? key(taken.digit.toLowerCase());
      return own(acceptGuardian, { invitationId: invited?.invitationId ?? 'none', publicKey }, holder);
    }
    case 'confirm guardian': {
      const { guardianId, publicKey } = one(recovery.guardians, taken.whom) ?? { guardianId: 'none', publicKey: null };
      return own(confirmGuardian, { guardianId, publicKey: publicKey ?? key('a') }, holder);
    }
    case 'confirm recovery': {
      const requestId = `request ${taken.slot} of ${holder}`;
      const begun = recovery.requests.find((request) => request.requestId === requestId);
      const newPublicKey = begun?.newPublicKey ?? key(taken.digit.toLowerCase());
      const opened_at = begun?.openedAt ?? new Date(now - taken.age).toISOString();
      const signer = one(eligibleGuardians(recovery, now), taken.whom)?.publicKey ?? key('e');
      return { ...own(confirmRecovery, { requestId, newPublicKey }, holder), signer, assigned: { opened_at } };
    }
  }
}
