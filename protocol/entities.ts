import { DOMAIN_REST_MS } from './domains.ts';
import type { BeoId, GuardianId, GuardianRole, InvitationId, TransactionId } from './ids.ts';

/** ISO 8601, UTC, milliseconds. */
export type Instant = string;

export const VERSION = '1.0.0';
export const THRESHOLD = 2;
export const INVITATION_MS = 72 * 3_600_000;

export interface Guardian {
  readonly guardianId: GuardianId;
  readonly invitationId: InvitationId;
  readonly role: GuardianRole;
  /** What the holder bound in the configuration, or what the guardian registered; hex. */
  readonly publicKey: string | null;
  readonly status: 'PENDING' | 'ACTIVE' | 'REMOVED' | 'EXPIRED';
  readonly addedAt: Instant;
  readonly acceptedAt: Instant | null;
  readonly confirmedAt: Instant | null;
}

export interface Recovery {
  readonly enabled: boolean;
  readonly guardians: readonly Guardian[];
}

/** Where an entity stands in the ledger; set by the ledger, never by a transition. */
interface Recorded {
  /** The operation that created it, and the latest one on it. */
  readonly transactionId: TransactionId;
  readonly seq: number;
}

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
  readonly recovery: Recovery;
}

/** One name of the namespace that BEOs and IEOs share: held by an entity, or resting until it can be taken again. */
export interface Name extends Recorded {
  readonly kind: 'NAME';
  readonly id: string;
  readonly holder: { readonly kind: 'BEO'; readonly id: BeoId } | null;
  readonly availableAt: Instant | null;
}

export type Entity = Beo | Name;
export type EntityKind = Entity['kind'];
export type EntityOf<Kind extends EntityKind> = Extract<Entity, { kind: Kind }>;

/** What a transition may look at: what `touches` of its operation named, and nothing else. */
export interface Entities {
  get<Kind extends EntityKind>(kind: Kind, id: string): EntityOf<Kind> | undefined;
}

export const NO_RECOVERY: Recovery = { enabled: false, guardians: [] };

/** When a destroyed holder's domain can be taken again; `at` is the acceptance of the destruction. */
export const domainAvailableAt = (at: Instant): Instant => new Date(Date.parse(at) + DOMAIN_REST_MS).toISOString();

/** How far an operation has got on its way to the network. Protocol §4. */
export type LedgerStatus = 'ACCEPTED' | 'POSTED' | 'CONFIRMED' | 'FINAL';

export type BeoView = ReturnType<typeof beoView>;

/** A BEO as every read answers it (protocol §3). `now` in ms decides which invitations have run out. */
export function beoView(beo: Beo, status: LedgerStatus, now: number) {
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
    recovery: recoveryView(beo.recovery, now),
    active_recovery: null,
    arweave_tx: beo.transactionId,
    ledger: { seq: beo.seq, status },
  };
}

function recoveryView(recovery: Recovery, now: number) {
  return {
    enabled: recovery.enabled,
    threshold: THRESHOLD,
    guardians: recovery.guardians.map((guardian) => ({
      guardian_id: guardian.guardianId,
      role: guardian.role,
      public_key: guardian.publicKey,
      status: invitationLapsed(guardian, now) ? ('EXPIRED' as const) : guardian.status,
      accepted: guardian.acceptedAt !== null,
      confirmed: guardian.confirmedAt !== null,
      added_at: guardian.addedAt,
      accepted_at: guardian.acceptedAt,
    })),
  };
}

export const invitationEnds = (addedAt: Instant): Instant =>
  new Date(Date.parse(addedAt) + INVITATION_MS).toISOString();

const invitationLapsed = (guardian: Guardian, now: number): boolean =>
  guardian.status === 'PENDING' && now >= Date.parse(invitationEnds(guardian.addedAt));
