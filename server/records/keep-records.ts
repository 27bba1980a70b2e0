import { refusal } from '../../protocol/errors.ts';
import type { SubjectIds } from '../../protocol/operation.ts';
import type { ChainedEntry, Draft } from '../ledger/chain.ts';
import { decrypt, encrypt } from '../vault/cipher.ts';
import type { RecordBatch } from '../write/submission.ts';
import type { Work } from '../write/work.ts';
import { newAccessEvent } from './access-events.ts';
import { clientRef } from './client-record-ids.ts';
import { newRecordAbout } from './new-records.ts';
import { bindPlace, openBound } from './record-binding.ts';
import { addToTotals, NO_RECORDS, openTotals, type RecordTotals } from './record-totals.ts';

/** The ciphertexts that the entry shows must be those that are kept. */
export const isOvertaken = ({ freshKey }: RecordBatch, draft: Draft, known: Buffer | undefined): boolean =>
  freshKey !== null && known !== undefined && 'public' in draft && draft.public.ciphertexts !== undefined;

/**
 * The totals that a batch adds to, after everything that it relies on was found unaltered: these, and the records that it corrects.
 * @throws {IntegrityFailure}
 */
export function totalsBefore(work: Work, ownerId: string, { rows }: RecordBatch): RecordTotals {
  const key = work.vaultKeys.get(ownerId);
  if (!key) return NO_RECORDS;
  for (const { supersedes } of rows) {
    const corrected = supersedes === null ? undefined : work.correctable.get(supersedes);
    if (corrected) openBound(key, corrected);
  }
  return work.totals.get(ownerId) ?? openTotals(key, ownerId, work.sealedTotals.get(ownerId) ?? null);
}

/** Adds the records of an entry to what is to be written. */
export function keepRecords(
  work: Work,
  subjects: SubjectIds,
  batch: RecordBatch,
  totals: RecordTotals,
  { id: transactionId, seq }: ChainedEntry,
): void {
  const ownerId = subjects.holder ?? '';
  const key = work.vaultKeys.get(ownerId);
  if (!key) throw refusal('INTERNAL');
  const { rows, access } = underKey(batch, subjects, key);
  const bindings = rows.map(({ id }) =>
    bindPlace(key, {
      id,
      submitted_at: work.at,
      transaction_id: transactionId,
      seq,
      status: 'ACTIVE',
      superseded_seq: null,
    }),
  );
  work.records.push({ subjects, transactionId, seq, rows, bindings });
  const superseded = rows.flatMap(({ supersedes }) => work.correctable.get(supersedes ?? '') ?? []);
  for (const row of superseded) {
    const after = { ...row, status: 'SUPERSEDED' as const, superseded_seq: seq };
    const binding = bindPlace(key, after);
    work.correctable.set(row.id, { ...after, binding });
    work.superseded.push({ id: row.id, seq, binding });
  }
  work.totals.set(ownerId, addToTotals(totals, seq, rows, superseded));
  work.accesses.push(newAccessEvent(key, ownerId, access, work.at));
}

/** Of several first batches for one person, all but one were encrypted with a key that is not kept. */
function underKey(batch: RecordBatch, subjects: SubjectIds, key: Buffer): RecordBatch {
  const { freshKey, sealed } = batch;
  if (freshKey === null || freshKey.equals(key)) return batch;
  return {
    ...batch,
    rows: batch.rows.map((row) => {
      const content = decrypt(freshKey, newRecordAbout(row, subjects), row.ciphertext, `record ${row.id}`);
      const labels = { ...row, clientRef: clientRef(key, subjects, sealed[row.position]?.submitted ?? {}) };
      return { ...labels, ciphertext: encrypt(key, newRecordAbout(labels, subjects), content) };
    }),
  };
}
