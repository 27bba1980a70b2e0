import { sha256 } from '#digests';
import type { Digestible } from '../signing/digests.ts';

// What is read from a record as it was submitted, without its schema: record.ts.

type Sent = Readonly<Record<string, unknown>>;

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === '';

/** The member with the collection time: some clients send `timestamp` instead of `collected_at`. Protocol §8. */
export const timeMemberOf = (sent: Sent): 'collected_at' | 'timestamp' =>
  isAbsent(sent.collected_at) && !isAbsent(sent.timestamp) ? 'timestamp' : 'collected_at';

/** The collection time as it was sent; null if it is not a string. */
export function collectedAtOf(sent: Sent): string | null {
  const text = sent[timeMemberOf(sent)];
  return typeof text === 'string' ? text : null;
}

/** The client's own id of a record, of any type: `record_id` as sent, which the service replaces by its own. Protocol §8. */
export const clientRecordIdOf = (sent: Sent): unknown =>
  isAbsent(sent.record_id) ? sent.client_record_id : sent.record_id;

/** Hex SHA-256(salt ‖ canonical JSON of the record as submitted, in UTF-8): what the ledger shows of a record. Protocol §10. */
export const commitmentOf = (salt: Uint8Array, canonical: Digestible): string => sha256(salt, canonical);
