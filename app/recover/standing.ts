import { type Answer, fieldsOf } from '../_session/post.ts';
import type { KeptRecovery } from './kept-recovery.ts';
import type { Identity } from './situation.ts';

/** Where one guardian's link stands. */
export type LinkStanding = {
  readonly state: 'open' | 'confirmed' | 'closed' | 'expired' | 'superseded' | 'unknown';
  /** Of the whole request; null where the answer does not say. */
  readonly confirmations: number | null;
};

/** Where a request for recovery stands. */
export type Standing =
  | {
      readonly kind: 'open';
      readonly confirmations: number;
      /** Confirmations of another request, for another key; 0 where there is none. */
      readonly rival: number;
      /** Whoever has the old key has put another in its place; the request goes on. */
      readonly keyChanged: boolean;
    }
  | { readonly kind: 'recovered' }
  /** Another request was carried out. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'destroyed' };

/** An identity as it changes while somebody waits. */
export type Glimpse = Pick<Identity, 'public_key' | 'status' | 'active_recovery'>;

/** What is known when the server was asked. */
export interface Sight {
  /** Null where the identity has ended. */
  readonly identity: Glimpse | null;
  /** Null where they were not asked; a link whose answer did not come is left out. */
  readonly links: readonly LinkStanding[] | null;
  /** The server's time, in ms. */
  readonly at: number;
}

/** Null while nothing was asked for. */
export function standingOf(kept: KeptRecovery, { identity, links, at }: Sight): Standing | null {
  if (!identity) return { kind: 'destroyed' };
  if (identity.public_key === kept.publicKey) return { kind: 'recovered' };
  const { request } = kept;
  if (!request) return null;
  if (links?.some(({ state }) => state === 'closed')) return { kind: 'overtaken' };
  if (at >= Date.parse(request.expiresAt)) return { kind: 'expired' };
  const active = identity.active_recovery;
  const own = active?.request_id === request.requestId ? active.confirmations : 0;
  return {
    kind: 'open',
    confirmations: Math.max(own, ...(links ?? []).map(({ confirmations }) => confirmations ?? 0)),
    rival: active && active.new_public_key !== kept.publicKey ? active.confirmations : 0,
    keyChanged: identity.public_key !== kept.formerKey,
  };
}

/**
 * How far the identity alone says where the own request stands: a read shows only the request that is furthest, and not which
 * guardian has confirmed.
 */
export function visibility(kept: KeptRecovery, identity: Glimpse): 'plain' | 'partial' | 'hidden' {
  const { request, formerKey, publicKey } = kept;
  const { active_recovery: active, public_key } = identity;
  if (public_key === publicKey) return 'plain';
  if (!request || (active === null && public_key === formerKey)) return 'plain';
  return active?.request_id === request.requestId && public_key === formerKey ? 'partial' : 'hidden';
}

/** How a link ended that did not run out, by the reason in the answer's details. */
const ENDED: Readonly<Record<string, LinkStanding['state']>> = {
  SUPERSEDED: 'superseded',
  DESTROYED: 'unknown',
  RESTORED: 'unknown',
};

/** Null where the answer says nothing about the link. */
export function linkStandingOf(answer: Answer): LinkStanding | null {
  if (answer.ok) return { state: 'open', confirmations: numberIn(answer.body.confirmations) };
  const confirmations = numberIn(answer.details.confirmations);
  switch (answer.code) {
    case 'LINK_USED':
      return { state: 'confirmed', confirmations };
    case 'REQUEST_CLOSED':
      return { state: 'closed', confirmations };
    case 'LINK_EXPIRED':
      return { state: ENDED[String(answer.details.reason)] ?? 'expired', confirmations };
    case 'LINK_NOT_FOUND':
      return { state: 'unknown', confirmations };
    default:
      return null;
  }
}

/** What `GET /api/beos/:id` answered: null where the identity has ended, undefined for what is no such answer. */
export function identityIn(answer: Answer): Glimpse | null | undefined {
  if (!answer.ok) return answer.code === 'BEO_NOT_FOUND' || answer.code === 'BEO_DESTROYED' ? null : undefined;
  const { status, public_key, active_recovery } = fieldsOf(answer.body.beo);
  if (status === 'DESTROYED') return null;
  if (typeof public_key !== 'string' || (status !== 'ACTIVE' && status !== 'LOCKED')) return undefined;
  const { request_id, new_public_key, confirmations, confirmations_needed, expires_at } = fieldsOf(active_recovery);
  if (typeof request_id !== 'string') return { public_key, status, active_recovery: null };
  return {
    public_key,
    status,
    active_recovery: {
      request_id,
      new_public_key: String(new_public_key),
      confirmations: Number(confirmations),
      confirmations_needed: Number(confirmations_needed),
      expires_at: String(expires_at),
    },
  };
}

const numberIn = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const POLL_MS = 5_000;
/** Where the links have to be asked each time: a minute's allowance is 60 reads. */
const WARY_POLL_MS = 15_000;
const MOST_MS = 60_000;

/** How long to wait before asking again, in ms: longer after each failure, and never less than the server asks for. */
export function pause({ failures, wary, wait }: { failures: number; wary: boolean; wait: number }): number {
  const usual = wary ? WARY_POLL_MS : POLL_MS;
  return Math.max(wait, Math.min(usual * 2 ** failures, MOST_MS));
}
