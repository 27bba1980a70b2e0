import type { Operation } from './operation.ts';
import { acceptGuardian } from './operations/accept-guardian.ts';
import { approveProposal } from './operations/approve-proposal.ts';
import { cancelRecovery } from './operations/cancel-recovery.ts';
import { confirmGuardian } from './operations/confirm-guardian.ts';
import { confirmRecovery } from './operations/confirm-recovery.ts';
import { createBEO } from './operations/create-beo.ts';
import { createIEO } from './operations/create-ieo.ts';
import { destroyBEO } from './operations/destroy-beo.ts';
import { destroyIEO } from './operations/destroy-ieo.ts';
import { grantConsent } from './operations/grant-consent.ts';
import { inviteGuardian } from './operations/invite-guardian.ts';
import { lockBEO } from './operations/lock-beo.ts';
import { lockIEO } from './operations/lock-ieo.ts';
import { openProposal } from './operations/open-proposal.ts';
import { requireConfirmedGuardians } from './operations/require-confirmed-guardians.ts';
import { resignGuardian } from './operations/resign-guardian.ts';
import { revokeAllFromIEO } from './operations/revoke-all-from-ieo.ts';
import { revokeAllTokens } from './operations/revoke-all-tokens.ts';
import { revokeByIntent } from './operations/revoke-by-intent.ts';
import { revokeToken } from './operations/revoke-token.ts';
import { rotateBEOKey } from './operations/rotate-beo-key.ts';
import { rotateIEOKey } from './operations/rotate-ieo-key.ts';
import { submitRecords } from './operations/submit-records.ts';
import { unlockBEO } from './operations/unlock-beo.ts';
import { unlockIEO } from './operations/unlock-ieo.ts';
import { updateBEORecovery } from './operations/update-beo-recovery.ts';
import { updateCertification } from './operations/update-certification.ts';
import { updateIEOContacts } from './operations/update-ieo-contacts.ts';
import { updateIEORecovery } from './operations/update-ieo-recovery.ts';
import type { Json } from './signing/canonical-json.ts';

/** An operation of any fields; use them only after parsing with the operation's own schema. */
// biome-ignore lint/suspicious/noExplicitAny: the operations have different field types, and the table is one list
export type AnyOperation = Operation<any, any>;

/** The table of operations. To add an operation, add one file and one row: see docs/adding-an-operation.md. */
const TABLE = [
  createBEO,
  lockBEO,
  unlockBEO,
  rotateBEOKey,
  destroyBEO,
  updateBEORecovery,
  revokeAllTokens,

  inviteGuardian,
  acceptGuardian,
  confirmGuardian,
  requireConfirmedGuardians,
  resignGuardian,
  confirmRecovery,
  cancelRecovery,

  createIEO,
  lockIEO,
  unlockIEO,
  rotateIEOKey,
  destroyIEO,
  updateIEOContacts,
  updateIEORecovery,

  grantConsent,
  revokeToken,
  revokeAllFromIEO,
  revokeByIntent,

  submitRecords,

  openProposal,
  approveProposal,
  updateCertification,
] as const;

export const OPERATIONS: readonly AnyOperation[] = TABLE;

/** The rows with their own types, for clients, which import only types. */
export type TypedOperation = (typeof TABLE)[number];

/** The candidate with the most of these fields, for operations that share a function or a route; the first of equals. */
export function matchingOperation(
  candidates: readonly AnyOperation[],
  fields: Readonly<Record<string, Json | undefined>>,
): AnyOperation | null {
  if (candidates.length < 2) return candidates[0] ?? null;
  const matches = (operation: AnyOperation): number =>
    Object.keys(operation.fields.shape).filter((name) => Object.hasOwn(fields, name)).length;
  return candidates.reduce((best, operation) => (matches(operation) > matches(best) ? operation : best));
}

/** The operation with the function and the signed fields of an entry; null if the table has none. */
export const operationFor = (
  functionName: string,
  facts: Readonly<Record<string, Json | undefined>>,
): AnyOperation | null =>
  matchingOperation(
    OPERATIONS.filter((operation) => operation.function === functionName),
    facts,
  );
