import { applyOperation, isReferenceTo, subjectIds, subjectIn } from '../../protocol/apply.ts';
import { requiredKey } from '../../protocol/authority.ts';
import type { Beo } from '../../protocol/entities/beo.ts';
import { invitationProblem } from '../../protocol/entities/invitation.ts';
import type { Instant } from '../../protocol/entities/recorded.ts';
import { requestProblem } from '../../protocol/entities/social-recovery.ts';
import { ProtocolError } from '../../protocol/errors.ts';
import { BEGIN_EPOCH, beginEpochFor } from '../../protocol/ledger/epoch.ts';
import type { Outcome, SubjectIds } from '../../protocol/operation.ts';
import { type AnyOperation, OPERATIONS } from '../../protocol/operations.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { timestampProblem } from '../../protocol/signing/timestamp-problem.ts';
import { MAX_AHEAD_MS } from '../../protocol/time.ts';
import { signedFieldOf } from './check-entry.ts';
import type { CheckedEntry } from './checked.ts';
import type { FindingKind, Findings } from './findings.ts';
import { checkGuardianSignature } from './guardian-signatures.ts';
import type { LedgerState } from './ledger-state.ts';

/** What a replay keeps besides the state. */
export interface ReplayPoint {
  /** When the current epoch began; null for the first one. */
  readonly epochBeganAt: Instant | null;
  /** The latest signed timestamp, in ms. */
  readonly latestTimestamp: number;
  /** Invitations that a new epoch ended. */
  readonly expiredInvitations: number;
  /** Requests for recovery with a confirmation that a new epoch ended. */
  readonly closedRequests: number;
}

export interface Replay<State extends LedgerState> {
  /** Applies the next entry of the chain. */
  apply(entry: CheckedEntry): ReplayResult;
  readonly state: State;
  readonly point: ReplayPoint;
}

/** The point before the first entry. */
export const BEGINNING: ReplayPoint = {
  epochBeganAt: null,
  latestTimestamp: 0,
  expiredInvitations: 0,
  closedRequests: 0,
};

/** What an operation erases beside the public state. */
export type Erasure = Required<Pick<Outcome, 'rowsToDelete' | 'rowsToExpire' | 'vaultsToErase'>>;

/** Receives what a replayed entry erases. */
export type OnErasure = (entry: CheckedEntry, erasure: Erasure) => void;

/** The result of replaying one entry. */
export interface ReplayResult {
  /** `verified`: valid, by the authorized key; `asserted`: valid, by a key that only the relayer attributes to a guardian. */
  readonly signature: 'verified' | 'asserted' | 'unverified';
  /** If the entry completed a recovery: the keys of its guardians that no public signature of the holder names. */
  readonly recovery: { readonly newPublicKey: string; readonly assertedKeys: readonly string[] } | null;
}

const UNVERIFIED: ReplayResult = { signature: 'unverified', recovery: null };

const OPERATION_BY_NAME = new Map(OPERATIONS.map((operation) => [operation.name, operation]));

/**
 * Replays the transitions of the ledger and checks what depends on earlier entries: times, nonces, authorized keys and
 * references. After a breach the replay continues as the service did.
 * @param state the state before the next entry, which the replay changes
 * @param from what an earlier replay reached with this state
 */
export function createReplay<State extends LedgerState>(
  state: State,
  findings: Findings,
  { from = BEGINNING, onErasure }: { readonly from?: ReplayPoint; readonly onErasure?: OnErasure | undefined } = {},
): Replay<State> {
  let { epochBeganAt, latestTimestamp, expiredInvitations, closedRequests } = from;

  function apply(entry: CheckedEntry): ReplayResult {
    const acceptedAt = Date.parse(entry.acceptedAt);
    state.prune(acceptedAt);
    const report = (kind: FindingKind, sentence: string) => findings.add({ kind, sentence }, entry);
    if (entry.authority === 'relayer') {
      if (entry.functionName === BEGIN_EPOCH) beginEpoch(entry);
      return UNVERIFIED;
    }
    checkTime(entry, acceptedAt, report);
    if (entry.nonce !== null && state.isNonceUsed(entry.nonce, acceptedAt)) {
      report('NONCE', 'The same key used the same nonce less than ten minutes before.');
    }
    const operation = OPERATION_BY_NAME.get(entry.operation ?? '');
    if (!operation) return UNVERIFIED;
    const subjects = subjectsOf(operation, entry, report);
    if (!subjects) return UNVERIFIED;
    checkReferences(operation, entry, subjects, report);
    const expected = expectedKey(operation, entry, subjects, state);
    if (expected !== null && expected !== entry.signer) {
      report('WRONG_SIGNER', `It is signed by the key ${entry.signer}, but the authorized key is ${expected}.`);
    }
    checkOpenedAt(entry, report);
    const before = guardedIdentity(operation, subjects, state);
    const done = applyTransition(operation, entry, subjects, report);
    const isValid = entry.signatureGood && expected !== null && expected === entry.signer;
    if (before)
      return done && isValid ? checkGuardianSignature(before, state.get('BEO', before.id), entry) : UNVERIFIED;
    return isValid ? { signature: 'verified', recovery: null } : UNVERIFIED;
  }

  function checkTime({ timestamp }: CheckedEntry, acceptedAt: number, report: Report): void {
    if (timestamp === null) return;
    latestTimestamp = Math.max(latestTimestamp, timestamp);
    const seconds = Math.round((acceptedAt - timestamp) / 1000);
    if (timestampProblem(timestamp, acceptedAt)) {
      const distance = seconds >= 0 ? `${seconds} seconds after` : `${-seconds} seconds before`;
      report('TIMESTAMP', `It was accepted ${distance} the time that was signed.`);
    }
    if (epochBeganAt !== null && timestamp < Date.parse(epochBeganAt)) {
      report('TIMESTAMP', 'It was signed before the epoch began, when its nonce could have been lost.');
    }
  }

  /** The relayer asserts when a request was opened. A new epoch closes all requests. */
  function checkOpenedAt({ assigned: { opened_at: openedAt } }: CheckedEntry, report: Report): void {
    if (openedAt === undefined || epochBeganAt === null) return;
    if (Date.parse(openedAt) >= Date.parse(epochBeganAt) - MAX_AHEAD_MS) return;
    report('TRANSITION', `The request was opened at ${openedAt}, and ended with the epoch at ${epochBeganAt}.`);
  }

  function subjectsOf(operation: AnyOperation, entry: CheckedEntry, report: Report): SubjectIds | null {
    try {
      return subjectIds(operation, state, entry);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      const { entityId } = entry;
      report(
        'TRANSITION',
        `The state does not allow ${operation.name} on ${entityId}, which does not exist or has ended.`,
      );
      return null;
    }
  }

  /** The alias rule (§2): each signed reference must identify the entity that the entry names. */
  function checkReferences(
    operation: AnyOperation,
    { references }: CheckedEntry,
    subjects: SubjectIds,
    report: Report,
  ): void {
    for (const [role, reference] of Object.entries(references)) {
      const subject = operation.subjects[role];
      if (!subject) continue;
      const entity = subjectIn(operation, role, subjects, state);
      // A transition itself rejects a missing entity that it needs.
      if (entity ? isReferenceTo(reference, entity) : !('mayBeDestroyed' in subject && subject.mayBeDestroyed))
        continue;
      report('ENTITY', `The signed ${signedFieldOf(operation, role)} ${reference} did not refer to ${subjects[role]}.`);
    }
  }

  /** Applies the transition. @returns whether the state allowed it. */
  function applyTransition(
    operation: AnyOperation,
    entry: CheckedEntry,
    subjects: SubjectIds,
    report: Report,
  ): boolean {
    const { entityId, publicFacts, acceptedAt, seq, id } = entry;
    const { about } = operation;
    if ('creates' in about && state.isTaken(about.creates, entityId)) {
      report('TRANSITION', `The id ${entityId} already exists.`);
      return false;
    }
    let applied: ReturnType<typeof applyOperation>;
    try {
      const { assigned, signer } = entry;
      applied = applyOperation(operation, state, { entityId, subjects, publicFacts, assigned, signer, acceptedAt });
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      report('TRANSITION', `The state does not allow ${operation.name}: ${error.code}, ${error.message}`);
      return false;
    }
    for (const change of applied.record(seq, id)) state.put(change);
    if (applied.revocation) state.revoke({ ...applied.revocation, seq });
    const { rowsToDelete, rowsToExpire, vaultsToErase } = applied;
    if (rowsToDelete.length + rowsToExpire.length + vaultsToErase.length > 0) onErasure?.(entry, applied);
    return true;
  }

  function beginEpoch({ acceptedAt, seq }: CheckedEntry): void {
    epochBeganAt = acceptedAt;
    for (const beo of state.withOpenRecovery()) {
      const changed = beginEpochFor(beo, acceptedAt);
      if (!changed) continue;
      const { guardians, requests } = beo.recovery;
      const now = Date.parse(acceptedAt);
      expiredInvitations += guardians.filter((guardian) => invitationProblem(guardian, now) === null).length;
      closedRequests += requests.filter((request) => requestProblem(beo.recovery, request, now) === null).length;
      state.put({ ...changed, seq });
    }
  }

  return {
    apply,
    state,
    get point() {
      return { epochBeganAt, latestTimestamp, expiredInvitations, closedRequests };
    },
  };
}

type Report = (kind: FindingKind, sentence: string) => void;

/** The identity before the operation; undefined if the signer is not a guardian. */
function guardedIdentity({ signer }: AnyOperation, subjects: SubjectIds, state: LedgerState): Beo | undefined {
  if (signer === 'institute' || !('guardianOf' in signer)) return undefined;
  return state.get('BEO', subjects[signer.guardianOf] ?? '');
}

/** The key that must have signed the entry; null if there is none. The transition checks guardian eligibility. */
const expectedKey = (
  operation: AnyOperation,
  { publicFacts, signer }: CheckedEntry,
  subjects: SubjectIds,
  state: LedgerState,
): string | null =>
  requiredKey(operation, {
    fields: publicFacts as Readonly<Record<string, Json>>,
    subject: (role) => subjectIn(operation, role, subjects, state),
    guardianKey: signer,
  });
