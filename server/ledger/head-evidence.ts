import type { TransactionId } from '../../protocol/ids.ts';

/** An entry that a party outside the database has seen on the ledger. */
export interface HeadEvidence {
  /** Null if it is not known: then any ledger that is shorter has lost entries. */
  readonly epoch: number | null;
  readonly seq: number;
  /** Null if it is not known. */
  readonly id: TransactionId | null;
  /** What the source shows, as in "the mirror shows …": a signed head, a bundle, a size. */
  readonly shown: string;
  /** Whether the relayer signed it, so that the source cannot take it back. */
  readonly isSigned: boolean;
}

/** A party outside the database that may have seen a later head. */
export interface HeadSource {
  /** As /ready and the log name it. */
  readonly name: string;
  /** What shows the evidence, if several sources show it together; otherwise the source. */
  readonly group?: string;
  /**
   * The latest entry that it shows; null if it shows none.
   * @throws {Error} with a sentence if it does not answer, or shows nothing that can be checked yet
   */
  latest(stopping: AbortSignal): Promise<HeadEvidence | null>;
}
