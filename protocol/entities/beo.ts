import type { z } from 'zod';
import type { BeoId } from '../ids.ts';
import { type Instant, type LedgerStatus, type Recorded, VERSION } from './recorded.ts';
import { activeRecoveryView, type SocialRecovery, socialRecoveryView } from './social-recovery.ts';
import type * as views from './views.ts';

/** A person's identity. Protocol §3. */
export interface Beo extends Recorded {
  readonly kind: 'BEO';
  readonly id: BeoId;
  readonly domain: string | null;
  readonly publicKey: string | null;
  readonly keyVersion: number;
  readonly status: 'ACTIVE' | 'LOCKED' | 'DESTROYED';
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly lockedAt: Instant | null;
  readonly recovery: SocialRecovery;
}

export type BeoView = z.output<typeof views.beo>;

/** A BEO as the API returns it (protocol §3). Invitations and requests that have expired at `now` (ms) are shown as such. */
export function beoView(beo: Beo, status: LedgerStatus, now: number): BeoView {
  return {
    beo_id: beo.id,
    domain: beo.domain,
    public_key: beo.publicKey,
    key_version: beo.keyVersion,
    status: beo.status,
    created_at: beo.createdAt,
    updated_at: beo.updatedAt,
    locked_at: beo.lockedAt,
    version: VERSION,
    recovery: socialRecoveryView(beo.recovery, now),
    active_recovery: activeRecoveryView(beo.recovery, now),
    arweave_tx: beo.transactionId,
    ledger: { seq: beo.seq, status },
  };
}
