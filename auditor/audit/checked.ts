import type { LedgerId, TransactionId } from '../../protocol/ids.ts';
import type { Role } from '../../protocol/operation.ts';
import type { Problem } from './findings.ts';

/** The parameters of an audit. */
export interface Rules {
  /** The first key of the relayer; hex, lower case. */
  readonly relayerKey: string;
  readonly ledgerId: LedgerId;
  /** The last label of domains; null if unknown, and then any last label is accepted. */
  readonly suffix: string | null;
}

/**
 * Who authorized an entry. `user`: a public signature; `sealed`: a user signature of which only a digest is public;
 * `institute`: one of its keys, as the relayer asserts without a signature; `relayer`: the relayer alone.
 */
export type Authority = 'user' | 'sealed' | 'institute' | 'relayer';

/** An entry after the checks that need no other entry, ready to be ordered and replayed. */
export interface CheckedEntry {
  readonly id: TransactionId;
  /** The key that signed the item; hex, lower case. */
  readonly owner: string;
  readonly epoch: number;
  readonly seq: number;
  readonly prev: string | null;
  readonly acceptedAt: string;
  readonly functionName: string;
  readonly entityId: string;
  readonly authority: Authority;
  /** The key the entry names. */
  readonly signer: string | null;
  /** Whether a public signature verifies under `signer`; the replay decides whether that key was authorized. */
  readonly signatureGood: boolean;
  /** The name of its operation; null if there is none, or the message does not match it. */
  readonly operation: string | null;
  /** The input of the transition. */
  readonly publicFacts: unknown;
  /** The signed references to the operation's subjects, by role. */
  readonly references: Readonly<Record<Role, string>>;
  /** The ids that the entry assigns to the other subjects, by role, and what else the service chose, by name. */
  readonly assigned: Readonly<Record<string, string>>;
  /** Milliseconds, as signed. */
  readonly timestamp: number | null;
  /** A short hash of signing key and nonce; null if the nonce is not public. */
  readonly nonce: string | null;
}

/** An entry that continues the chain, with its bytes. */
export interface Placed {
  readonly entry: CheckedEntry;
  readonly item: Buffer;
}

export interface CheckedItem {
  readonly id: string;
  /** Byte offsets in the bundle. */
  readonly start: number;
  readonly end: number;
  /** Whether its owner signed it with a valid key. Whether this was the relayer depends on earlier entries. */
  readonly genuine: boolean;
  readonly entry: CheckedEntry | null;
  readonly problems: readonly Problem[];
}

export interface CheckedBundle {
  readonly bytes: Uint8Array;
  readonly items: readonly CheckedItem[];
  /** Why the bytes are not a bundle; null if they are. */
  readonly unreadable: string | null;
}
