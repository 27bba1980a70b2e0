import type { TransactionId } from '../ids.ts';

/** ISO 8601, UTC, milliseconds. */
export type Instant = string;

export const VERSION = '1.0.0';

/** The position of an entity in the ledger; set by the ledger, never by a transition. */
export interface Recorded {
  /** The operation that created the entity. */
  readonly transactionId: TransactionId;
  /** The seq of the latest operation on it. */
  readonly seq: number;
}

/** For entities that lists return, newest first. */
export interface Ordered extends Recorded {
  /** The seq of the operation that created it. */
  readonly createdSeq: number;
}

/** Placeholders that a transition returns; the ledger replaces them. */
export const UNRECORDED: Recorded = { transactionId: '' as TransactionId, seq: 0 };
export const UNORDERED: Ordered = { ...UNRECORDED, createdSeq: 0 };

/** The relay status of an operation. Protocol §4. */
export const LEDGER_STATUSES = ['ACCEPTED', 'POSTED', 'CONFIRMED', 'FINAL'] as const;
export type LedgerStatus = (typeof LEDGER_STATUSES)[number];
