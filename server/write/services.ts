import type { Pool } from 'pg';
import type { Json } from '../../protocol/canonical-json.ts';
import type { LedgerRules } from '../../protocol/message.ts';
import type { LinkKind } from '../../protocol/operation.ts';
import type { Instant } from '../../protocol/recorded.ts';
import type { Clock } from '../clock.ts';
import type { SignatureChecks } from '../crypto/signature-checks.ts';
import type { Readers } from '../entities/readers.ts';
import type { PlugIn } from './plug-in.ts';
import type { WriteQueue } from './queue.ts';

/** What the write pipeline needs of the process. */
export interface WriteServices extends LedgerRules {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly readers: Readers;
  readonly signatures: SignatureChecks;
  readonly links: LinkFollower;
  readonly plugIns: readonly PlugIn[];
  readonly queue: WriteQueue;
  /** Rows of an owner's vault in the clear, by id; missing ones are left out. */
  readonly readPrivateRows: (ownerId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, Json>>;
  /** Whether a signature over the number of records counts as one over the records. Protocol §1. */
  readonly countOnly: boolean;
}

/** A guardian's link as it came with a request. */
export interface Link {
  readonly kind: LinkKind;
  readonly token: string;
}

/** What a link allows. */
export interface FollowedLink {
  readonly beoId: string;
  /** Values that the request must have signed, in lower case, by field. */
  readonly fields: Readonly<Record<string, string>>;
  /** The key of the guardian for whom the link was made, hex; null where the request is to register one. */
  readonly signer: string | null;
  /** What the entry assigns. */
  readonly assigned: Readonly<Record<string, string>>;
  /** The operation must not be accepted with an earlier time. */
  readonly notBefore: Instant | null;
}

export interface LinkFollower {
  /** @throws LINK_NOT_FOUND, LINK_EXPIRED */
  follow(link: Link): Promise<FollowedLink>;
}
