import type { LedgerId, TransactionId } from '../../protocol/ids.ts';
import type { Role } from '../../protocol/operation.ts';
import type { Problem } from './findings.ts';

/** What an auditor knows before the first byte is read. */
export interface Rules {
  /** Hex, lower case. */
  readonly relayerKey: string;
  readonly ledgerId: LedgerId;
  /** What domains end with; null where it is not known, and every domain is then measured by its own end. */
  readonly suffix: string | null;
}

/**
 * Who stands behind an entry. `user`: a public signature; `sealed`: a user's signature that only a digest shows, so only
 * the relayer's can be checked; `institute`: one of its keys, which the relayer holds, and no signature; `relayer`: nobody else.
 */
export type Authority = 'user' | 'sealed' | 'institute' | 'relayer';

/** An entry as far as it can be judged by itself, ready to be put in order and replayed. */
export interface CheckedEntry {
  readonly id: TransactionId;
  readonly epoch: number;
  readonly seq: number;
  readonly prev: string | null;
  readonly acceptedAt: string;
  readonly functionName: string;
  readonly entityId: string;
  readonly authority: Authority;
  /** The key the entry names. */
  readonly signer: string | null;
  /** A public signature that is good under `signer`; whose key that is, the replay says. */
  readonly signatureGood: boolean;
  /** Its row in the table of operations; null where there is none, or the message is not one of that operation. */
  readonly operation: string | null;
  /** What the transition is given. */
  readonly publicFacts: unknown;
  /** How the message names the operation's subjects, by role. */
  readonly references: Readonly<Record<Role, string>>;
  /** Which entities the entry says those are, besides the one it is about; and what else the service chose, by name. */
  readonly assigned: Readonly<Record<string, string>>;
  /** Milliseconds, as signed. */
  readonly timestamp: number | null;
  /** A short hash of signing key and nonce, where the nonce is public. */
  readonly nonce: string | null;
}

/** An entry that took its place in the chain, with its bytes. */
export interface Placed {
  readonly entry: CheckedEntry;
  readonly item: Buffer;
}

export interface CheckedItem {
  readonly id: string;
  /** Where its bytes lie in the bundle. */
  readonly start: number;
  readonly end: number;
  /** Whether the relayer signed it: only then is it a word of the ledger at all. */
  readonly genuine: boolean;
  readonly entry: CheckedEntry | null;
  readonly problems: readonly Problem[];
}

export interface CheckedBundle {
  readonly bytes: Uint8Array;
  readonly items: readonly CheckedItem[];
  /** Why the bytes are no bundle, in a sentence. */
  readonly unreadable: string | null;
}
