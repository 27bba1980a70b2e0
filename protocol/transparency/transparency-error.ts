/** Why something of a transparency log is rejected. Pages choose their sentence by it. */
export type Flaw =
  /** Bytes that the specification does not allow, or that exceed a limit. */
  | 'malformed'
  /** A policy that no checkpoint can meet, or that counts one key twice. */
  | 'policy'
  /** A checkpoint of another log. */
  | 'origin'
  /** No signature of a known key. */
  | 'unsigned'
  /** A signature of a known key that does not verify. */
  | 'signature'
  /** Fewer cosignatures than the policy requires. */
  | 'witnesses'
  /** The inclusion path does not lead from the entry to the root. */
  | 'inclusion'
  /** The item of a proof is not a valid entry of this ledger. */
  | 'item'
  /** The entry's position in the ledger differs from its index in the tree. */
  | 'place';

/** The only error that this folder throws; the message is a sentence. */
export class TransparencyError extends Error {
  override readonly name = 'TransparencyError';
  readonly flaw: Flaw;

  constructor(flaw: Flaw, message: string) {
    super(message);
    this.flaw = flaw;
  }
}

export const malformed = (message: string): TransparencyError => new TransparencyError('malformed', message);
