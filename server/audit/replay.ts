import { applyOperation } from '../../protocol/apply.ts';
import { normalDomain } from '../../protocol/domains.ts';
import type { Beo, Entity, Instant } from '../../protocol/entities.ts';
import { BEGIN_EPOCH, beginEpochFor } from '../../protocol/epoch.ts';
import { ProtocolError } from '../../protocol/errors.ts';
import { type AnyOperation, OPERATIONS } from '../../protocol/operations.ts';
import { untimely } from '../../protocol/time.ts';
import type { CheckedEntry } from './checked.ts';
import type { FindingKind, Findings } from './findings.ts';
import { createLivingState, type LivingState } from './living-state.ts';
import { createNonceMemory } from './nonce-memory.ts';

export interface Replay {
  /** Applies the next entry of the chain. @returns whether its user's signature is good and was the right key's. */
  apply(entry: CheckedEntry): boolean;
  readonly state: LivingState;
  /** When the present epoch began, where a restore began it. */
  readonly epochBeganAt: Instant | null;
  /** Milliseconds: the latest time that anybody signed. */
  readonly latestTimestamp: number;
  /** Invitations that a new epoch ended. */
  readonly expiredInvitations: number;
}

const OPERATION_BY_NAME = new Map(OPERATIONS.map((operation) => [operation.name, operation]));

/**
 * The transitions of the ledger, once more, with everything around them that depends on what came before: times, nonces,
 * whose key had the say, which entity was meant. A breach is reported, and the replay goes on as the service did.
 */
export function createReplay(findings: Findings, onDestroyed?: (destroyed: Beo) => void): Replay {
  const state = createLivingState(onDestroyed);
  const nonces = createNonceMemory();
  let epochBeganAt: Instant | null = null;
  let latestTimestamp = 0;
  let expiredInvitations = 0;

  function apply(entry: CheckedEntry): boolean {
    const acceptedAt = Date.parse(entry.acceptedAt);
    state.prune(acceptedAt);
    const report = (kind: FindingKind, sentence: string) => findings.add({ kind, sentence }, entry);
    if (entry.authority === 'relayer') {
      if (entry.functionName === BEGIN_EPOCH) beginEpoch(entry);
      return false;
    }
    judgeTime(entry, acceptedAt, report);
    if (entry.nonce !== null && nonces.usedBefore(entry.nonce, acceptedAt)) {
      report('NONCE', 'The same key used the same nonce less than ten minutes before.');
    }
    const operation = OPERATION_BY_NAME.get(entry.operation ?? '');
    if (!operation) return false;
    const expected = expectedSigner(operation, entry, state);
    judgeTarget(operation, entry, report);
    if (expected !== null && expected !== entry.signer) {
      report('WRONG_SIGNER', `It names the key ${entry.signer}, but the say was with ${expected}.`);
    }
    transit(operation, entry, report);
    return entry.signatureGood && expected !== null && expected === entry.signer;
  }

  function judgeTime({ timestamp }: CheckedEntry, acceptedAt: number, report: Report): void {
    if (timestamp === null) return;
    latestTimestamp = Math.max(latestTimestamp, timestamp);
    const seconds = Math.round((acceptedAt - timestamp) / 1000);
    if (untimely(timestamp, acceptedAt)) {
      const distance = seconds >= 0 ? `${seconds} seconds after` : `${-seconds} seconds before`;
      report('TIMESTAMP', `It was accepted ${distance} the time that was signed.`);
    }
    if (epochBeganAt !== null && timestamp < Date.parse(epochBeganAt)) {
      report('TIMESTAMP', 'It was signed before the epoch began, when its nonce could have been lost.');
    }
  }

  /** The alias rule (§2): the form that was signed must have meant the entity that the entry names. */
  function judgeTarget({ target }: AnyOperation, { entityId, reference }: CheckedEntry, report: Report): void {
    if (!target || reference === null) return;
    const entity = state.get(target.kind, entityId);
    if (!entity) return;
    const meant = [entity.id as string, entity.transactionId as string, entity.domain];
    if (meant.includes(reference) || meant.includes(reference.toLowerCase()) || meant[2] === normalDomain(reference)) {
      return;
    }
    report('ENTITY', `The signed ${target.field} ${reference} did not stand for ${entityId}.`);
  }

  function transit(operation: AnyOperation, entry: CheckedEntry, report: Report): void {
    const { entityId, known, acceptedAt, seq, id } = entry;
    if (operation.target === null && state.get('BEO', entityId)) {
      report('TRANSITION', `The id ${entityId} exists already.`);
      return;
    }
    let changes: readonly Entity[];
    try {
      changes = applyOperation(operation, state, { entityId, known, acceptedAt }).record(seq, id);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      report('TRANSITION', `The state does not allow ${operation.name}: ${error.code}, ${error.message}`);
      return;
    }
    for (const change of changes) state.put(change);
  }

  function beginEpoch({ acceptedAt, seq }: CheckedEntry): void {
    epochBeganAt = acceptedAt;
    for (const beo of state.beos.values()) {
      const changed = beginEpochFor(beo, acceptedAt);
      if (!changed) continue;
      expiredInvitations += beo.recovery.guardians.filter(({ status }) => status === 'PENDING').length;
      state.put({ ...changed, seq });
    }
  }

  return {
    apply,
    state,
    get epochBeganAt() {
      return epochBeganAt;
    },
    get latestTimestamp() {
      return latestTimestamp;
    },
    get expiredInvitations() {
      return expiredInvitations;
    },
  };
}

type Report = (kind: FindingKind, sentence: string) => void;

/** Null where there is nobody whose key it could have been. */
function expectedSigner(operation: AnyOperation, { entityId, known }: CheckedEntry, state: LivingState): string | null {
  if (operation.signer === 'target') {
    return operation.target ? (state.get(operation.target.kind, entityId)?.publicKey ?? null) : null;
  }
  const key = (known as Record<string, unknown>)[operation.signer.field];
  return typeof key === 'string' ? key.toLowerCase() : null;
}
