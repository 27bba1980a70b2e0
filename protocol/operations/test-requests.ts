import type { GuardianRole } from '../entities/guardian.ts';
import type { IeoStatus } from '../entities/ieo.ts';
import type { Approver, Decision } from '../entities/proposal.ts';
import type { PublicGuardian } from '../entities/recovery.ts';
import type { Scope } from '../entities/token.ts';
import { ProtocolError } from '../errors.ts';
import type { GuardianId, InvitationId } from '../ids.ts';
import type { AnyOperation } from '../operations.ts';
import { approveProposal } from './approve-proposal.ts';
import { createBEO } from './create-beo.ts';
import { createIEO } from './create-ieo.ts';
import { destroyIEO } from './destroy-ieo.ts';
import { grantConsent } from './grant-consent.ts';
import { lockIEO } from './lock-ieo.ts';
import { openProposal } from './open-proposal.ts';
import { revokeToken } from './revoke-token.ts';
import { submitRecords } from './submit-records.ts';
import { createTestLedger, type Request, type TestLedger } from './test-ledger.ts';
import { updateCertification } from './update-certification.ts';

/** Test code: requests for the in-memory ledger, by default about Maria and a laboratory. */

export const START = Date.parse('2026-01-31T12:00:00.000Z');
export const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;
export const at = (minutes: number): string => new Date(START + minutes * MINUTE).toISOString();
export const afterDays = (days: number, ms = 0): string => new Date(START + days * DAY + ms).toISOString();
export const key = (digit: string): string => digit.repeat(64);

export const MARIA = 'maria';
export const LAB = 'lab';

export const guardian = (role: GuardianRole, public_key: string | null = null): PublicGuardian => ({
  guardian_id: `guardian ${role}` as GuardianId,
  invitation_id: `invitation ${role}` as InvitationId,
  role,
  public_key,
});

export const beoCreation = (changes: object = {}, entityId = MARIA): Request => ({
  operation: createBEO,
  entityId,
  publicFacts: { domain: `${entityId}.bsp`, publicKey: key('a'), enabled: false, guardians: [], ...changes },
});

export const ieoCreation = (changes: object = {}, entityId = LAB): Request => ({
  operation: createIEO,
  entityId,
  publicFacts: {
    domain: `${entityId}.bsp`,
    ieoType: 'LAB',
    displayName: 'Lab',
    publicKey: key('e'),
    country: null,
    jurisdiction: null,
    legalId: null,
    ...changes,
  },
});

/** A request that a holder signs about itself. */
export const byHolder = (operation: AnyOperation, fields: object = {}, entityId = MARIA): Request => ({
  operation,
  entityId,
  publicFacts: { beoId: entityId, ...fields },
});

/** A request that an institution signs about itself. */
export const byInstitution = (operation: AnyOperation, fields: object = {}, entityId = LAB): Request => ({
  operation,
  entityId,
  publicFacts: { ieoId: entityId, ...fields },
});

export const scopeOf = (changes: Partial<Scope> = {}): Scope => ({
  intents: ['READ_RECORDS'],
  categories: ['BSP-CV'],
  levels: [],
  period: null,
  max_records: null,
  ...changes,
});

interface Grant {
  readonly holder?: string;
  readonly grantee?: string;
  readonly scope?: Partial<Scope>;
  readonly expiresInDays?: number | null;
}

export const consentGrant = (
  { holder = MARIA, grantee = LAB, scope = {}, expiresInDays = 30 }: Grant = {},
  entityId = 'token',
): Request => ({
  operation: grantConsent,
  entityId,
  assigned: { holder, grantee },
  publicFacts: { scope: scopeOf(scope), expiresInDays, ownerSignature: `signature of ${entityId}`, tokenHash: 'hash' },
});

export const withdrawal = (tokenId = 'token'): Request => ({
  operation: revokeToken,
  entityId: tokenId,
  publicFacts: { tokenId },
});

/** An institution submits `count` records with a consent. */
export const submission = (count = 1, tokenId = 'token', targetBeo = MARIA): Request => ({
  operation: submitRecords,
  entityId: tokenId,
  publicFacts: {
    targetBeo,
    consentToken: tokenId,
    commitments: Array.from({ length: count }, (_, n) => key(`${n % 10}`)),
  },
});

type Params = Omit<Decision['params'], 'ieoId'> & Readonly<Record<string, unknown>>;

export const newProposal = (
  action: Decision['action'],
  params: Params = {},
  { entityId = 'proposal', approver = 1, ieoId = LAB }: { entityId?: string; approver?: Approver; ieoId?: string } = {},
): Request => ({
  operation: openProposal,
  entityId,
  assigned: { institution: ieoId },
  publicFacts: { decision: { action, params: { ieoId, ...params } }, justification: 'Results are wrong.', approver },
});

export const approval = (approver: Approver = 2, entityId = 'proposal'): Request => ({
  operation: approveProposal,
  entityId,
  publicFacts: { proposalId: entityId, approver },
});

export const certificationUpdate = (fields: object, entityId = LAB): Request => ({
  operation: updateCertification,
  entityId,
  publicFacts: { ieoId: entityId, approver: 1, ...fields },
});

/** Opens and approves a proposal. */
export function decide(ledger: TestLedger, action: Decision['action'], moment: string, ieoId = LAB): void {
  const entityId = `${action} ${ieoId} ${moment}`;
  ledger.submit(newProposal(action, { reason: 'Results are wrong.' }, { entityId, ieoId }), moment);
  ledger.submit(approval(2, entityId), moment);
}

/** Changes the status of an active institution. */
export function setStatus(ledger: TestLedger, status: IeoStatus, moment: string, ieoId = LAB): void {
  if (status === 'LOCKED') ledger.submit(byInstitution(lockIEO, {}, ieoId), moment);
  if (status === 'SUSPENDED') decide(ledger, 'suspendIEO', moment, ieoId);
  if (status === 'REVOKED') decide(ledger, 'revokeIEO', moment, ieoId);
  if (status === 'DESTROYED') ledger.submit(byInstitution(destroyIEO, {}, ieoId), moment);
}

/** A ledger with Maria and a laboratory, whose status is set after one minute. */
export function ledgerWith(status: IeoStatus = 'ACTIVE'): TestLedger {
  const ledger = createTestLedger();
  ledger.submit(beoCreation(), at(0));
  ledger.submit(ieoCreation(), at(0));
  setStatus(ledger, status, at(1));
  return ledger;
}

export function requireEntity<Kind extends keyof typeof DEFAULTS>(
  ledger: TestLedger,
  kind: Kind,
  id: string = DEFAULTS[kind],
) {
  const entity = ledger.find(kind, id);
  if (!entity) throw new Error(`There is no ${kind} ${id}.`);
  return entity;
}

const DEFAULTS = { IEO: LAB, TOKEN: 'token', PROPOSAL: 'proposal' } as const;

/** The ProtocolError that an action throws. @throws if it succeeds or throws another error */
export function refusalOf(action: () => unknown): ProtocolError {
  try {
    action();
  } catch (error) {
    if (error instanceof ProtocolError) return error;
    throw error;
  }
  throw new Error('The action did not fail.');
}

/** Submits a request and returns the response. */
export function answerOf(ledger: TestLedger, request: Request, acceptedAt: string): Record<string, unknown> {
  const { revokedCount, subjects, transactionId } = ledger.submit(request, acceptedAt);
  const { operation, entityId, publicFacts } = request;
  return operation.answer({
    entityId,
    publicFacts,
    entities: ledger.entities,
    subjects,
    acceptedAt,
    transactionId,
    requestId: 'request',
    revokedCount,
    invitations: [],
    recordIds: [],
    warnings: [],
  });
}
