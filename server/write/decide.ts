import { applyOperation, subjectIn } from '../../protocol/apply.ts';
import { requiredKey } from '../../protocol/authority.ts';
import type { Entity } from '../../protocol/entities/entities.ts';
import type { Instant } from '../../protocol/entities/recorded.ts';
import { isRefusal, type ProtocolError, refusal } from '../../protocol/errors.ts';
import type { TransactionId } from '../../protocol/ids.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { timestampProblem } from '../../protocol/signing/timestamp-problem.ts';
import { isBeforeEpoch, signedBeforeEpoch } from '../entities/spend-nonce.ts';
import type { ItemSigner } from '../ledger/ans104.ts';
import { chain } from '../ledger/chain.ts';
import type { Head } from '../ledger/head.ts';
import type { Batch } from './batch.ts';
import type { PlugIn } from './plug-in.ts';
import type { Submission } from './submission.ts';

export interface DecideParts {
  /** The key that signs after this head. @throws UNAVAILABLE if this process does not have it */
  readonly signerOf: (head: Head) => ItemSigner;
  readonly plugIns: readonly PlugIn[];
  readonly onUnexpected: (error: unknown) => void;
}

/** An operation's place in the ledger. */
export interface Receipt {
  readonly seq: number;
  readonly transactionId: TransactionId;
  /** The signed data item. */
  readonly item: Buffer;
  readonly acceptedAt: Instant;
  readonly changes: readonly Entity[];
  /** The number of tokens that its revocation ended; those of earlier batches are counted by the commit. */
  readonly revokedCount: number;
}

export type Verdict = Receipt | ProtocolError;

/** Charges by nonce, shared by the attempts to commit one batch: each key is charged once. */
export type Charges = Map<string, Promise<ProtocolError | null>>;

/**
 * Decides the submissions of a batch in order; each sees the changes of those before it. A refused submission leaves
 * only its used nonce. A key is charged once its nonce is known to be unused; copies of a request share one charge.
 */
export async function decide(
  parts: DecideParts,
  batch: Batch,
  submissions: readonly Submission[],
  charges: Charges,
): Promise<Verdict[]> {
  const hashes = submissions.map(({ signed, nonceHash }) => {
    const hash = nonceHash?.toString('hex') ?? null;
    if (hash !== null && signed?.charge && !batch.nonces.has(hash) && !charges.has(hash)) {
      charges.set(hash, signed.charge(signed.signer));
    }
    return hash;
  });
  const charged = await Promise.all(hashes.map((hash) => charges.get(hash ?? '') ?? null));
  return submissions.map((submission, index) => {
    const { nonceHash } = submission;
    const hash = hashes[index] ?? null;
    const verdict = decideOne(parts, batch, submission, hash, charged[index] ?? null);
    if (nonceHash && hash !== null && !batch.nonces.has(hash) && usesNonce(submission, verdict)) {
      const transactionId = verdict instanceof Error ? null : verdict.transactionId;
      batch.nonces.set(hash, transactionId);
      batch.newNonces.push({ hash: nonceHash, transactionId });
    }
    return verdict;
  });
}

/**
 * A refused signed request has used its nonce, but a 503 asks the client to send the same request again. A refused request
 * of the institute leaves its idempotency key unused.
 */
function usesNonce({ signed }: Submission, verdict: Verdict): boolean {
  if (!isRefusal(verdict)) return true;
  return signed !== null && verdict.code !== 'UNAVAILABLE';
}

function decideOne(
  parts: DecideParts,
  batch: Batch,
  submission: Submission,
  hash: string | null,
  charged: ProtocolError | null,
): Verdict {
  let applied: Applied;
  try {
    if (hash !== null && batch.nonces.has(hash)) {
      throw refusal('NONCE_REUSED', undefined, { transactionId: batch.nonces.get(hash) ?? null });
    }
    const problem = charged ?? expiryProblem(batch, submission) ?? keyChanged(batch, submission);
    if (problem) throw problem;
    applied = transit(parts, batch, submission);
  } catch (error) {
    if (isRefusal(error)) return error;
    parts.onUnexpected(error);
    return refusal('INTERNAL');
  }
  // Outside the try: a failure here would leave half an operation, so it must end the whole batch.
  return place(parts, batch, submission, applied);
}

type Applied = ReturnType<typeof applyOperation>;

/**
 * The request may have expired in the queue. One from before the epoch could be a replay whose nonce was lost. Protocol
 * §1, §10.
 */
function expiryProblem({ head, at }: Batch, { signed }: Submission): ProtocolError | null {
  if (!signed) return null;
  const { timestamp } = signed;
  return isBeforeEpoch(timestamp, head.epochBeganAt)
    ? signedBeforeEpoch()
    : timestampProblem(timestamp, Date.parse(at));
}

/** The key may have been rotated since the signature was verified; the old key's signature is then refused. */
function keyChanged(
  { entities }: Batch,
  { operation, subjects, publicFacts, signed }: Submission,
): ProtocolError | null {
  if (!signed) return null;
  const key = requiredKey(operation, {
    // If a field holds the key, the field is public.
    fields: publicFacts as Readonly<Record<string, Json>>,
    subject: (role) => subjectIn(operation, role, subjects, entities),
    // A guardian's key: the transition checks that the guardian is eligible and has it.
    guardianKey: signed.signer,
  });
  if (key === null || key === signed.signer) return null;
  return refusal('INVALID_SIGNATURE', undefined, { expected_key: operation.expectedKey });
}

/** Runs every check and the transition; changes nothing. @throws {ProtocolError} */
function transit({ plugIns }: DecideParts, batch: Batch, submission: Submission): Applied {
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
  const applied = applyOperation(operation, batch.entities, accepted);
  operation.admit?.(batch.entities, accepted);
  for (const plugIn of plugIns) plugIn.admit?.(batch, submission);
  return applied;
}

/** Adds an operation to the ledger and to the batch. */
function place(
  { plugIns, signerOf }: DecideParts,
  batch: Batch,
  submission: Submission,
  { record, ...outcome }: Applied,
): Receipt {
  const entry = chain(signerOf(batch.head), batch.entries.at(-1) ?? batch.head, submission.draft, batch.at);
  const changes = record(entry.seq, entry.id);
  for (const change of changes) batch.entities.put(change);
  const revokedCount = outcome.revocation ? batch.entities.revoke({ ...outcome.revocation, seq: entry.seq }) : 0;
  batch.entries.push(entry);
  batch.vaultsToErase.push(...outcome.vaultsToErase);
  for (const plugIn of plugIns) plugIn.apply(batch, submission, { entry, changes, outcome });
  return { seq: entry.seq, transactionId: entry.id, item: entry.item, acceptedAt: batch.at, changes, revokedCount };
}
