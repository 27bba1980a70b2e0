import type { z } from 'zod';
import type { BeoId, IeoId, TokenId } from '../ids.ts';
import type { Beo } from './beo.ts';
import { hasEnded, type Ieo, type IeoType } from './ieo.ts';
import type { Intent } from './intents.ts';
import { type Instant, type LedgerStatus, type Ordered, VERSION } from './recorded.ts';
import type * as views from './views.ts';

export interface Scope {
  readonly intents: readonly Intent[];
  /** Codes, or `["*"]` for all of them. */
  readonly categories: readonly string[];
  /** Empty for all levels. */
  readonly levels: readonly string[];
  /** Bounds of `collected_at`, both included. */
  readonly period: { readonly from: Instant | null; readonly to: Instant | null } | null;
  readonly max_records: number | null;
}

/** The entity that may use a token: an institution or the holder itself. */
export type Grantee = { readonly kind: 'IEO'; readonly id: IeoId } | { readonly kind: 'BEO'; readonly id: BeoId };

/**
 * A consent. Its status also depends on its holder and its grantee: see tokenState. Domains are read from the parties, so that the
 * domain of a destroyed holder disappears from its tokens too. Protocol §3.
 */
export interface Token extends Ordered {
  readonly kind: 'TOKEN';
  readonly id: TokenId;
  readonly beoId: BeoId;
  readonly grantee: Grantee;
  readonly grantedAt: Instant;
  readonly expiresAt: Instant | null;
  readonly scope: Scope;
  /** See scope-key.ts. */
  readonly scopeKey: string;
  readonly revokedAt: Instant | null;
  /** Number of records submitted with it. */
  readonly submitted: number;
  /** Base64, as the holder signed. */
  readonly ownerSignature: string;
  /** Hex SHA-256 of the canonical message. */
  readonly tokenHash: string;
}

type Party<Holder> = Pick<Holder, Extract<'kind' | 'domain' | 'status' | 'updatedAt' | 'seq', keyof Holder>>;

/** The two parties whose status a token depends on; the grantee of a self token is its holder. */
export interface TokenParties {
  readonly beo: Party<Beo>;
  readonly grantee: Party<Beo> | (Party<Ieo> & Pick<Ieo, 'ieoType'>);
}

export const hasExpired = ({ expiresAt }: Pick<Token, 'expiresAt'>, now: number): boolean =>
  expiresAt !== null && now >= Date.parse(expiresAt);

/** Neither revoked nor expired. Does not check whether its holder or grantee has ended. */
export const isLive = (token: Token, now: number): boolean => token.revokedAt === null && !hasExpired(token, now);

/** When a token was revoked, or ended with its holder or its grantee, whichever was first; else null. */
function ended(token: Token, { beo, grantee }: TokenParties): { at: Instant; seq: number } | null {
  if (token.revokedAt !== null) return { at: token.revokedAt, seq: token.seq };
  const ends = [
    ...(beo.status === 'DESTROYED' ? [beo] : []),
    ...(grantee.kind === 'IEO' && hasEnded(grantee) ? [grantee] : []),
  ];
  const first = ends.toSorted((one, other) => one.seq - other.seq)[0];
  return first ? { at: first.updatedAt, seq: first.seq } : null;
}

export function tokenState(token: Token, parties: TokenParties, now: number) {
  const end = ended(token, parties);
  const status = end ? 'REVOKED' : hasExpired(token, now) ? 'EXPIRED' : 'ACTIVE';
  return { status, revokedAt: end?.at ?? null, seq: end?.seq ?? token.seq } as const;
}

export type TokenView = z.output<typeof views.token>;

/** A token as the API returns it (protocol §3). `now` in ms. */
export function tokenView(token: Token, parties: TokenParties, ledgerStatus: LedgerStatus, now: number): TokenView {
  const { status, revokedAt, seq } = tokenState(token, parties, now);
  return {
    token_id: token.id,
    beo_id: token.beoId,
    beo_domain: parties.beo.domain,
    ieo_id: token.grantee.id,
    ieo_domain: parties.grantee.domain,
    granted_at: token.grantedAt,
    expires_at: token.expiresAt,
    scope: scopeView(token.scope),
    status,
    revocable: true,
    revoked: status === 'REVOKED',
    revoked_at: revokedAt,
    owner_signature: token.ownerSignature,
    token_hash: token.tokenHash,
    arweave_tx: token.transactionId,
    version: VERSION,
    ledger: { seq, status: ledgerStatus },
  };
}

const scopeView = ({ intents, categories, levels, period, max_records }: Scope): Scope => ({
  intents,
  categories,
  levels,
  period: period && { from: period.from, to: period.to },
  max_records,
});

const WEARABLE_CATEGORY = 'BSP-DV';

/** Whether a scope includes a category; ignores levels. For a WEARABLE, `*` means device data only. Protocol §3. */
export function includesCategory(scope: Scope, category: string, type: IeoType | null): boolean {
  if (!scope.categories.includes('*')) return scope.categories.includes(category);
  return type !== 'WEARABLE' || category === WEARABLE_CATEGORY;
}

/** Why a grantee may not have a token (protocol §3). */
export const TYPE_RESTRICTIONS = {
  selfAdds: 'Only institutions submit records.',
  wearableReads: 'A wearable can never read records.',
  wearableData: `A wearable can submit and export records of the category ${WEARABLE_CATEGORY} only.`,
  platformAdds: 'A platform can never submit records.',
  insurerForever: 'A consent for an insurer must expire; set expiresInDays.',
} as const;
export type TypeRestriction = keyof typeof TYPE_RESTRICTIONS;

/** Why an institution of a type may not have a token with this scope, or null. `type` is null for the holder. Protocol §3. */
export function typeRestriction(
  type: IeoType | null,
  { intents, categories }: Pick<Scope, 'intents' | 'categories'>,
  expires: boolean,
): TypeRestriction | null {
  const submits = intents.includes('SUBMIT_RECORD');
  if (type === null) return submits ? 'selfAdds' : null;
  if (type === 'WEARABLE') {
    if (intents.includes('READ_RECORDS')) return 'wearableReads';
    const deviceOnly = categories.every((category) => category === '*' || category === WEARABLE_CATEGORY);
    if ((submits || intents.includes('EXPORT_DATA')) && !deviceOnly) return 'wearableData';
  }
  if (type === 'PLATFORM' && submits) return 'platformAdds';
  return type === 'INSURER' && !expires ? 'insurerForever' : null;
}
