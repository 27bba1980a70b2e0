import { applyOperation } from '../../protocol/apply.ts';
import type { Entities, Entity } from '../../protocol/entities.ts';
import { isRefusal, type ProtocolError, refusal } from '../../protocol/errors.ts';
import type { TransactionId } from '../../protocol/ids.ts';
import type { Instant } from '../../protocol/recorded.ts';
import { untimely } from '../../protocol/time.ts';
import { isBeforeEpoch, signedBeforeEpoch } from '../authorization/spend-nonce.ts';
import { chain } from '../ledger/chain.ts';
import { isOvertaken, keepRecords, totalsBefore } from '../records/keep-records.ts';
import { refuseRecords } from '../records/new-records.ts';
import { addStored, refuseStoring } from '../vault/stored-bytes.ts';
import type { Submission } from './submission.ts';
import type { CommitParts, Work } from './work.ts';

export interface Receipt {
  readonly transactionId: TransactionId;
  readonly item: Buffer;
  readonly acceptedAt: Instant;
  readonly entities: Pick<Entities, 'get'>;
  /** How many tokens the operation has ended. */
  readonly revokedCount: number;
}

export type Verdict = Receipt | ProtocolError;

/** What the attempts to commit one batch have in common, by nonce: whether its key may go on. It is charged once. */
export type Charges = Map<string, Promise<ProtocolError | null>>;

/**
 * A key is charged once its nonce was looked up, as a used one must not be charged. Copies of one request share their charge: it is
 * made once, whatever becomes of the first of them.
 */
export async function decide(
  parts: CommitParts,
  work: Work,
  batch: readonly Submission[],
  charges: Charges,
): Promise<Verdict[]> {
  const hashes = batch.map(({ signed }) => {
    if (!signed) return null;
    const hash = signed.nonceHash.toString('hex');
    if (signed.charge && !work.nonces.has(hash) && !charges.has(hash)) charges.set(hash, signed.charge(signed.signer));
    return hash;
  });
  const charged = await Promise.all(hashes.map((hash) => charges.get(hash ?? '') ?? null));
  return batch.map((submission, index) => {
    const { signed } = submission;
    const hash = hashes[index] ?? null;
    const verdict = attempt(parts, work, submission, hash, charged[index] ?? null);
    if (signed && hash !== null && !work.nonces.has(hash) && !canBeSentAgain(verdict)) {
      const transactionId = verdict instanceof Error ? null : verdict.transactionId;
      work.nonces.set(hash, transactionId);
      work.newNonces.push({ hash: signed.nonceHash, transactionId });
    }
    return verdict;
  });
}

/** A 503 asks for the same request again, so it must not have used up the nonce. */
export const canBeSentAgain = (verdict: Verdict): boolean => isRefusal(verdict) && verdict.code === 'UNAVAILABLE';

function attempt(
  parts: CommitParts,
  work: Work,
  submission: Submission,
  hash: string | null,
  charged: ProtocolError | null,
): Verdict {
  try {
    if (hash !== null && work.nonces.has(hash))
      throw refusal('NONCE_REUSED', undefined, { transactionId: work.nonces.get(hash) ?? null });
    const problem = charged ?? late(work, submission) ?? otherKey(work.entities, submission) ?? parts.budget(work.head);
    if (problem) throw problem;
    return place(parts, work, submission);
  } catch (error) {
    if (isRefusal(error)) return error;
    parts.onUnexpected(error);
    return refusal('INTERNAL');
  }
}

/** A request may have waited, and one from before the epoch could be a replay whose nonce was lost. Protocol §1, §10. */
function late({ head, at }: Work, { signed }: Submission): ProtocolError | null {
  if (!signed) return null;
  const { timestamp } = signed;
  return isBeforeEpoch(timestamp, head.epochBeganAt) ? signedBeforeEpoch() : untimely(timestamp, Date.parse(at));
}

/** The key may have been rotated between verification and ordering; what the old key signed is then refused. */
function otherKey(entities: Entities, { operation, signed }: Submission): ProtocolError | null {
  if (!signed?.signerOf) return null;
  const holder = entities.get(signed.signerOf.kind, signed.signerOf.id);
  if (!holder?.publicKey || holder.publicKey === signed.signer) return null;
  return refusal('INVALID_SIGNATURE', undefined, { expected_key: operation.expectedKey });
}

function place(parts: CommitParts, work: Work, submission: Submission): Receipt {
  const { operation, entityId, subjects, known, assigned, draft, privateRows } = submission;
  const signer = submission.signed?.signer ?? null;
  const accepted = { entityId, subjects, known, assigned, signer, acceptedAt: work.at };
  const { records } = submission;
  if (records && isOvertaken(records, draft, work.vaultKeys.get(submission.ownerId))) {
    throw refusal('UNAVAILABLE', 'Another batch came first for this person; send the request again.');
  }
  if (records) refuseRecords(work.entities, subjects, records, work.correctable, work.at);
  const totals = records && totalsBefore(work, submission.ownerId, records);
  const applied = applyOperation(operation, work.entities, accepted);
  operation.admit?.(work.entities, accepted);
  const { storing } = submission;
  const noRoom = storing && refuseStoring(parts.storageLimits, work.stored, storing, kindOf(work, storing.ownerId));
  if (noRoom) throw noRoom;
  const entry = chain(parts.signer, work.entries.at(-1) ?? work.head, draft, work.at);
  const changes: readonly Entity[] = applied.record(entry.seq, entry.id);
  for (const change of changes) work.entities.put(change);
  work.entries.push(entry);
  work.forgets.push(...applied.forgets);
  work.lapses.push(...applied.lapses.map((lapse) => ({ ...lapse, ownerId: entityId })));
  work.erases.push(...applied.erases);
  if (privateRows.length > 0) {
    const { ownerId } = submission;
    work.sealed.push(parts.vault.sealRows(work.vaultKeys, ownerId, privateRows, records?.freshKey ?? undefined));
  }
  work.invited.push(...submission.invitations.map((invitation) => ({ ...invitation, acceptedAt: work.at })));
  if (storing) {
    addStored(work.stored, storing);
    work.storing.push(storing);
  }
  if (records && totals) keepRecords(work, subjects, records, totals, entry);
  work.mails.push(...parts.notices(submission, changes, work.at));
  const after = new Map(changes.map((change) => [`${change.kind}:${change.id}`, change]));
  const receipt = {
    transactionId: entry.id,
    item: entry.item,
    acceptedAt: work.at,
    entities: { get: (kind, id) => after.get(`${kind}:${id}`) as never },
    revokedCount: 0,
  } satisfies Receipt;
  if (applied.revokes) {
    const { count, others } = work.entities.revoke(applied.revokes, { acceptedAt: work.at, seq: entry.seq });
    receipt.revokedCount = count;
    work.revocations.push({ receipt, others: { statement: others, count: 0 } });
  }
  return receipt;
}

const kindOf = ({ entities }: Work, ownerId: string): 'BEO' | 'IEO' => (entities.get('IEO', ownerId) ? 'IEO' : 'BEO');
