import type { TransactionId } from './ids.ts';

/** ISO 8601, UTC, milliseconds. */
export type Instant = string;

export const VERSION = '1.0.0';

/** Where an entity stands in the ledger; set by the ledger, never by a transition. */
export interface Recorded {
  /** The operation that created it, and the latest one on it. */
  readonly transactionId: TransactionId;
  readonly seq: number;
}

/** Of what is listed, newest first, also its place among the others. */
export interface Ordered extends Recorded {
  /** The seq of the operation that created it. */
  readonly createdSeq: number;
}

/** What a transition gives for Recorded and Ordered: the ledger fills it in. */
export const UNRECORDED: Recorded = { transactionId: '' as TransactionId, seq: 0 };
export const UNORDERED: Ordered = { ...UNRECORDED, createdSeq: 0 };

/** How far an operation has got on its way to the network. Protocol §4. */
export type LedgerStatus = 'ACCEPTED' | 'POSTED' | 'CONFIRMED' | 'FINAL';
