import type { z } from 'zod';
import type { IeoId } from '../ids.ts';
import { type Recovery, recoveryView } from './guardian.ts';
import { type Instant, type LedgerStatus, type Ordered, VERSION } from './recorded.ts';
import type * as views from './views.ts';

export const IEO_TYPES = ['LAB', 'HOSPITAL', 'WEARABLE', 'PHYSICIAN', 'INSURER', 'RESEARCH', 'PLATFORM'] as const;
export type IeoType = (typeof IEO_TYPES)[number];

/** Aliases of types that deployed clients send. Protocol §1. */
export const IEO_TYPE_ALIASES = { LABORATORY: 'LAB' } as const satisfies Readonly<Record<string, IeoType>>;
type Alias = keyof typeof IEO_TYPE_ALIASES;

export const IEO_TYPE_NAMES: readonly (IeoType | Alias)[] = [...IEO_TYPES, 'LABORATORY'];

export const ieoTypeOf = (name: IeoType | Alias): IeoType => (name === 'LABORATORY' ? IEO_TYPE_ALIASES[name] : name);

export const IEO_STATUSES = ['ACTIVE', 'LOCKED', 'SUSPENDED', 'REVOKED', 'DESTROYED'] as const;
export type IeoStatus = (typeof IEO_STATUSES)[number];

export const CERT_LEVELS = ['UNCERTIFIED', 'BASIC', 'ADVANCED', 'RESEARCH_PARTNER'] as const;
export type CertLevel = (typeof CERT_LEVELS)[number];
/** The levels that an institution can ask for. */
export const ASKED_LEVELS = CERT_LEVELS.filter((level) => level !== 'UNCERTIFIED');
/** The most characters of what proves that a certification is deserved. */
export const MAX_GROUNDS = 2_000;

export interface Certification {
  readonly level: CertLevel;
  readonly grantedAt: Instant | null;
  readonly expiresAt: Instant | null;
  readonly categories: readonly string[];
  readonly intents: readonly string[];
}

export interface Contacts {
  readonly apiEndpoint: string | null;
  readonly webhookUrl: string | null;
}

/** An institution's identity. A destroyed institution keeps its domain, which is never assigned again. Protocol §3. */
export interface Ieo extends Ordered {
  readonly kind: 'IEO';
  readonly id: IeoId;
  readonly domain: string;
  readonly displayName: string | null;
  readonly ieoType: IeoType;
  readonly country: string | null;
  readonly jurisdiction: string | null;
  readonly legalId: string | null;
  readonly publicKey: string | null;
  readonly keyVersion: number;
  readonly status: IeoStatus;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  readonly lockedAt: Instant | null;
  readonly certification: Certification;
  readonly contacts: Contacts;
  readonly recovery: Recovery;
}

export const UNCERTIFIED: Certification = {
  level: 'UNCERTIFIED',
  grantedAt: null,
  expiresAt: null,
  categories: [],
  intents: [],
};

export const NO_CONTACTS: Contacts = { apiEndpoint: null, webhookUrl: null };

/** Whether an institution has ended for good; its tokens end with it. */
export const hasEnded = ({ status }: Pick<Ieo, 'status'>): boolean => status === 'REVOKED' || status === 'DESTROYED';

export type IeoView = z.output<typeof views.ieo>;

/** An IEO as the API returns it (protocol §3). */
export function ieoView(ieo: Ieo, status: LedgerStatus): IeoView {
  return {
    ieo_id: ieo.id,
    domain: ieo.domain,
    display_name: ieo.displayName,
    ieo_type: ieo.ieoType,
    country: ieo.country,
    jurisdiction: ieo.jurisdiction,
    legal_id: ieo.legalId,
    public_key: ieo.publicKey,
    key_version: ieo.keyVersion,
    status: ieo.status,
    created_at: ieo.createdAt,
    updated_at: ieo.updatedAt,
    locked_at: ieo.lockedAt,
    version: VERSION,
    certification: {
      level: ieo.certification.level,
      granted_at: ieo.certification.grantedAt,
      expires_at: ieo.certification.expiresAt,
      categories: ieo.certification.categories,
      intents: ieo.certification.intents,
    },
    contacts: { api_endpoint: ieo.contacts.apiEndpoint, webhook_url: ieo.contacts.webhookUrl },
    recovery: recoveryView(ieo.recovery, null),
    arweave_tx: ieo.transactionId,
    ledger: { seq: ieo.seq, status },
  };
}

/** Whether an institution is certified at `now` (ms), its restrictions if any, and the reason if it is not. Protocol §4. */
export function certificationView(
  { certification, status }: Ieo,
  now: number,
): z.output<typeof views.certificationNow> {
  const { level, grantedAt, expiresAt, categories, intents } = certification;
  const reason = uncertifiedReason(status, level, expiresAt, now);
  return {
    certified: reason === null,
    level,
    granted_at: grantedAt,
    expires_at: expiresAt,
    ...(categories.length > 0 && { categories }),
    ...(intents.length > 0 && { intents }),
    ...(reason === null ? {} : { reason }),
  };
}

/** Whether an institution is certified at `now` (ms), from its view. */
export const isCertified = (
  { status, certification }: Pick<IeoView, 'status' | 'certification'>,
  now: number,
): boolean => uncertifiedReason(status, certification.level, certification.expires_at, now) === null;

export const UNCERTIFIED_REASONS = ['IEO_NOT_ACTIVE', 'UNCERTIFIED', 'CERTIFICATION_EXPIRED'] as const;

function uncertifiedReason(
  status: IeoStatus,
  level: CertLevel,
  expiresAt: Instant | null,
  now: number,
): (typeof UNCERTIFIED_REASONS)[number] | null {
  if (status !== 'ACTIVE') return 'IEO_NOT_ACTIVE';
  if (level === 'UNCERTIFIED') return 'UNCERTIFIED';
  return expiresAt !== null && now >= Date.parse(expiresAt) ? 'CERTIFICATION_EXPIRED' : null;
}
