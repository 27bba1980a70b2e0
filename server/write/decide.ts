import { applyOperation, subjectIn } from '../../protocol/apply.ts';
import { requiredKey } from '../../protocol/authority.ts';
import type { Json } from '../../protocol/canonical-json.ts';
import type { Entity } from '../../protocol/entities.ts';
import { isRefusal, type ProtocolError, refusal } from '../../protocol/errors.ts';
import type { TransactionId } from '../../protocol/ids.ts';
import type { Instant } from '../../protocol/recorded.ts';
import { timestampProblem } from '../../protocol/time.ts';
import { isBeforeEpoch, signedBeforeEpoch } from '../authorization/spend-nonce.ts';
import type { ItemSigner } from '../ledger/ans104.ts';
import { chain } from '../ledger/chain.ts';
import type { Head } from '../ledger/head.ts';
import type { Batch } from './batch.ts';
import type { PlugIn } from './plug-in.ts';
import type { Submission } from './submission.ts';

export interface DecideParts {
  readonly signer: ItemSigner;
  readonly plugIns: readonly PlugIn[];
  /** The refusal of operations beyond what the operator pays for, if any. */
  readonly budget: (head: Head) => ProtocolError | null;
  readonly onUnexpected: (error: unknown) => void;
}

/** An operation with its place in the ledger. */
export interface Receipt {
  readonly transactionId: TransactionId;
  /** The signed data item. */
  readonly item: Buffer;
  readonly acceptedAt: Instant;
  readonly changes: readonly Entity[];
}

export type Verdict = Receipt | ProtocolError;

/** Charges that the attempts to commit one batch share, by nonce: each key is charged once. */
export type Charges = Map<string, Promise<ProtocolError | null>>;

/**
 * Decides the submissions of a batch in order; each sees what those before it changed. A refused one leaves nothing but its
 * used nonce. A key is charged only once its nonce is known to be unused, and copies of one request share one charge.
 */
export async function decide(
  parts: DecideParts,
  batch: Batch,
  submissions: readonly Submission[],
  charges: Charges,
): Promise<Verdict[]> {
  const hashes = submissions.map(({ signed }) => {
    if (!signed) return null;
    const hash = signed.nonceHash.toString('hex');
    if (signed.charge && !batch.nonces.has(hash) && !charges.has(hash)) charges.set(hash, signed.charge(signed.signer));
    return hash;
  });
  const charged = await Promise.all(hashes.map((hash) => charges.get(hash ?? '') ?? null));
  return submissions.map((submission, index) => {
    const { signed } = submission;
    const hash = hashes[index] ?? null;
    const verdict = decideOne(parts, batch, submission, hash, charged[index] ?? null);
    if (signed && hash !== null && !batch.nonces.has(hash) && !canBeSentAgain(verdict)) {
      const transactionId = verdict instanceof Error ? null : verdict.transactionId;
      batch.nonces.set(hash, transactionId);
      batch.newNonces.push({ hash: signed.nonceHash, transactionId });
    }
    return verdict;
  });
}

/** A 503 asks for the same request again, so it must not have used up the nonce. */
const canBeSentAgain = (verdict: Verdict): boolean => isRefusal(verdict) && verdict.code === 'UNAVAILABLE';

function decideOne(
  parts: DecideParts,
  batch: Batch,
  submission: Submission,
  hash: string | null,
  charged: ProtocolError | null,
): Verdict {
  try {
    if (hash !== null && batch.nonces.has(hash)) {
      throw refusal('NONCE_REUSED', undefined, { transactionId: batch.nonces.get(hash) ?? null });
    }
    const problem = charged ?? tooLate(batch, submission) ?? keyChanged(batch, submission) ?? parts.budget(batch.head);
    if (problem) throw problem;
    return place(parts, batch, submission);
  } catch (error) {
    if (isRefusal(error)) return error;
    parts.onUnexpected(error);
    return refusal('INTERNAL');
  }
}

/** A request may have waited, and one from before the epoch could be a replay whose nonce was lost. Protocol §1, §10. */
function tooLate({ head, at }: Batch, { signed }: Submission): ProtocolError | null {
  if (!signed) return null;
  const { timestamp } = signed;
  return isBeforeEpoch(timestamp, head.epochBeganAt)
    ? signedBeforeEpoch()
    : timestampProblem(timestamp, Date.parse(at));
}

/** The key may have been rotated since the signature was verified; what the old key signed is then refused. */
function keyChanged(
  { entities }: Batch,
  { operation, subjects, publicFacts, signed }: Submission,
): ProtocolError | null {
  if (!signed) return null;
  const key = requiredKey(operation, {
    // What is public of the fields holds the key, where a field names it.
    fields: publicFacts as Readonly<Record<string, Json>>,
    subject: (role) => subjectIn(operation, role, subjects, entities),
    guardianKey: signed.signer,
  });
  if (key === null || key === signed.signer) return null;
  return refusal('INVALID_SIGNATURE', undefined, { expected_key: operation.expectedKey });
}

/** Gives an operation its place in the ledger. Everything that can refuse it comes before the first change of the batch. */
function place({ plugIns, signer }: DecideParts, batch: Batch, submission: Submission): Receipt {
  const { operation, entityId, subjects, publicFacts, assigned, signed } = submission;
  const accepted = {
    entityId,
    subjects,
    publicFacts,
    assigned,
    signer: signed?.signer ?? null,
    acceptedAt: batch.at,
  };
  for (const plugIn of plugIns) plugIn.check?.(batch, submission);
  const { record, ...outcome } = applyOperation(operation, batch.entities, accepted);
  operation.admit?.(batch.entities, accepted);
  for (const plugIn of plugIns) plugIn.admit?.(batch, submission);

  const entry = chain(signer, batch.entries.at(-1) ?? batch.head, submission.draft, batch.at);
  const changes = record(entry.seq, entry.id);
  for (const change of changes) batch.entities.put(change);
  batch.entries.push(entry);
  batch.vaultsToErase.push(...outcome.vaultsToErase);
  for (const plugIn of plugIns) plugIn.apply(batch, submission, { entry, changes, outcome });
  return { transactionId: entry.id, item: entry.item, acceptedAt: batch.at, changes };
}
