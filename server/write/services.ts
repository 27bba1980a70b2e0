import type { Pool } from 'pg';
import type { Instant } from '../../protocol/entities/recorded.ts';
import type { LinkKind } from '../../protocol/operation.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import type { LedgerRules } from '../../protocol/signing/message.ts';
import type { Readers } from '../entities/readers.ts';
import type { SignatureChecks } from '../platform/crypto/signature-checks.ts';
import type { Clock } from '../platform/db/clock.ts';
import type { Tracing } from '../platform/observe/tracing.ts';
import type { PlugIn } from './plug-in.ts';
import type { WriteQueue } from './queue.ts';

/** The parts of the process that the write pipeline uses. */
export interface WriteServices extends LedgerRules {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly readers: Readers;
  readonly signatures: SignatureChecks;
  readonly links: LinkFollower;
  readonly plugIns: readonly PlugIn[];
  readonly queue: WriteQueue;
  readonly tracing: Tracing;
  /** Decrypted rows of an owner's vault, by id; missing rows are left out. */
  readonly readPrivateRows: (ownerId: string, ids: readonly string[]) => Promise<ReadonlyMap<string, Json>>;
  /** Of the service and its operator; no institution may take one. */
  readonly ownNames: readonly string[];
  /** The same on connections that only operations with a reserve use. Protocol §6. */
  readonly reserve: Pick<WriteServices, 'pool' | 'readers' | 'links' | 'readPrivateRows'>;
  /** Whether a signature over the number of records is accepted as one over the records. Protocol §1. */
  readonly countOnly: boolean;
}

/** A guardian's link, as received. */
export interface Link {
  readonly kind: LinkKind;
  readonly token: string;
}

/** What a link authorizes. */
export interface FollowedLink {
  readonly beoId: string;
  /** Values that the signed request must contain, in lower case, by field. */
  readonly fields: Readonly<Record<string, string>>;
  /** The key of the link's guardian, hex; null if the request registers one. */
  readonly signer: string | null;
  /** Values that the entry assigns. */
  readonly assigned: Readonly<Record<string, string>>;
  /** The earliest acceptance time. */
  readonly notBefore: Instant | null;
}

export interface LinkFollower {
  /** @throws LINK_NOT_FOUND, LINK_EXPIRED */
  follow(link: Link): Promise<FollowedLink>;
}
