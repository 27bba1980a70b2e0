import type { LedgerStatus } from '../entities/recorded.ts';

export const PROOF_FORMAT = 'perpetua-proof-1';

/** Maximum number of entries after the proven one in a proof. */
export const MAX_LINKS = 1_000;

/**
 * An entry without its content: enough to verify that the relayer signed an item with this anchor, and with it the entry's id
 * and its predecessor.
 */
export interface Link {
  /** Base64, 64 bytes; its SHA-256 is the entry's id. */
  readonly signature: string;
  /** Base64, 48 bytes each: the deep hashes of the item's encoded tags and of its data. */
  readonly tags: string;
  readonly data: string;
}

/** Everything needed to check one operation offline. docs/audit.md describes how. */
export interface Proof {
  readonly format: typeof PROOF_FORMAT;
  readonly ledger_id: string;
  /** Hex: the key that signed the head. Compare it, or the ledger id, with what you trust. */
  readonly relayer_public_key: string;
  /** The items of the entries that changed the relayer's key, in order, base64. Absent in older files. */
  readonly relayer_keys?: readonly string[];
  readonly id: string;
  /** The data item, base64. */
  readonly item: string;
  /** The previous entry, with the id of the one before that; null for the first entry. */
  readonly before: (Link & { readonly prev: string | null }) | null;
  /** The following entries in order, up to the head or MAX_LINKS. */
  readonly after: readonly Link[];
  /** The signature is the relayer's over the canonical JSON of the other members and ledger_id. */
  readonly head: {
    readonly epoch: number;
    readonly seq: number;
    readonly id: string;
    readonly at: string;
    /** Base64. */
    readonly signature: string;
  };
  /** Where to find the entry on the network. Not signed: check it there. */
  readonly network: {
    readonly kind: 'devnet' | 'arweave';
    readonly gateway_url: string;
    readonly permanent: boolean;
    readonly wallet_address: string;
    readonly status: LedgerStatus;
    readonly l1_tx: string | null;
  };
}
