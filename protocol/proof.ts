import type { LedgerStatus } from './recorded.ts';

export const PROOF_FORMAT = 'perpetua-proof-1';

/** How many entries a proof follows the chain at most. */
export const MAX_LINKS = 1_000;

/**
 * An entry of the ledger without what is in it: enough to see that the relayer signed an item with this anchor, and so which entry
 * it follows and how it is called, whoever's it is.
 */
export interface Link {
  /** Base64, 64 bytes; its SHA-256 is the entry's id. */
  readonly signature: string;
  /** Base64, 48 bytes each: the deep hashes of the item's encoded tags and of its data. */
  readonly tags: string;
  readonly data: string;
}

/** All that it takes to check one operation without asking anybody. docs/audit.md says how. */
export interface Proof {
  readonly format: typeof PROOF_FORMAT;
  readonly ledger_id: string;
  /** Hex. Compare it with the one you hold. */
  readonly relayer_public_key: string;
  readonly id: string;
  /** The data item, base64. */
  readonly item: string;
  /** The entry before it, with the id of the one before that; null of the first. */
  readonly before: (Link & { readonly prev: string | null }) | null;
  /** The entries after it, in order, up to the head or MAX_LINKS. */
  readonly after: readonly Link[];
  /** Signed by the relayer over the canonical JSON of these and ledger_id. */
  readonly head: {
    readonly epoch: number;
    readonly seq: number;
    readonly id: string;
    readonly at: string;
    /** Base64. */
    readonly signature: string;
  };
  /** Where to find it: not signed, to be looked up. */
  readonly network: {
    readonly kind: 'devnet' | 'arweave';
    readonly gateway_url: string;
    readonly permanent: boolean;
    readonly wallet_address: string;
    readonly status: LedgerStatus;
    readonly l1_tx: string | null;
  };
}
