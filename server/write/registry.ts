import type { Pool } from 'pg';
import type { LedgerRules } from '../../protocol/message.ts';
import type { LinkKind } from '../../protocol/operation.ts';
import type { Clock } from '../clock.ts';
import type { SignatureChecks } from '../crypto/signature-checks.ts';
import type { Readers } from '../entities/readers.ts';
import type { LostLink } from '../guardians/lost-link.ts';
import type { Vault } from '../vault/vault.ts';
import type { Committer } from './committer.ts';

/** What accepting an operation takes. */
export interface Registry extends LedgerRules {
  readonly publicUrl: () => string;
  readonly clock: Clock;
  readonly readers: Readers;
  readonly committer: Committer;
  readonly links: Links;
  readonly pool: Pool;
  readonly vault: Vault;
  readonly signatures: SignatureChecks;
  /** Whether a signature over the number of records is taken for one over the records. Protocol §1. */
  readonly countOnly: boolean;
  /** Whether the ciphertext of records goes to the network beside their commitments. Protocol §7. */
  readonly ciphertextOnNetwork: boolean;
}

/** A link as a request came with it. */
export interface Link {
  readonly kind: LinkKind;
  readonly token: string;
}

/** What a link allows. */
export interface FollowedLink {
  readonly beoId: string;
  /** What the request must say, in lower case, by field. */
  readonly fields: Readonly<Record<string, string>>;
  /** The key of the guardian whom it was made for, hex; null where it is to be registered. */
  readonly signer: string | null;
  /** What the entry says of it. */
  readonly assigned: Readonly<Record<string, string>>;
}

export interface Links {
  /** @throws LINK_NOT_FOUND, LINK_EXPIRED */
  follow(link: Link): Promise<FollowedLink>;
  /** Of a link that is not found. */
  whyLost(link: Link): Promise<LostLink>;
  /** The secret of a new link. */
  newToken(): string;
}
