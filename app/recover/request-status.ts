import type { Beo, RecoveryConfirmation } from '../../client/types.ts';
import type { Answered } from '../_session/send.ts';
import type { KeptRecovery } from './kept-recovery.ts';
import type { Identity } from './situation.ts';

/** The status of one guardian's link. */
export type LinkStatus = {
  readonly state: 'open' | 'confirmed' | 'closed' | 'cancelled' | 'expired' | 'superseded' | 'unknown';
  /** Of the whole request; null where the response has no count. */
  readonly confirmations: number | null;
};

/** The status of a request for recovery. */
export type RequestStatus =
  | {
      readonly kind: 'open';
      readonly confirmations: number;
      /** Confirmations of another request, for another key; 0 where there is none. */
      readonly rival: number;
      /** The old key was replaced by another meanwhile; the request continues. */
      readonly keyChanged: boolean;
    }
  | { readonly kind: 'recovered' }
  /** Another request was executed. */
  | { readonly kind: 'overtaken' }
  /** The holder of the current key closed it. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'destroyed' };

/** The members of an identity that change while a request waits. */
export type IdentityState = Pick<Identity, 'public_key' | 'status' | 'active_recovery'>;

/** What one poll of the server read. */
export interface StatusRead {
  /** Null where the identity has ended. */
  readonly identity: IdentityState | null;
  /** Null where they were not read; in the order of the links of the request. */
  readonly links: readonly LinkStatus[] | null;
  /** The server's time, in ms. */
  readonly at: number;
}

/** Null while there is no request. */
export function statusOf(kept: KeptRecovery, { identity, links, at }: StatusRead): RequestStatus | null {
  if (!identity) return { kind: 'destroyed' };
  if (identity.public_key === kept.publicKey) return { kind: 'recovered' };
  const { request } = kept;
  if (!request) return null;
  if (links?.some(({ state }) => state === 'closed')) return { kind: 'overtaken' };
  if (links?.some(({ state }) => state === 'cancelled')) return { kind: 'cancelled' };
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

/** How much of our request the identity shows: only the request with the most confirmations, not who confirmed or whether it was cancelled. */
export function visibility(kept: KeptRecovery, identity: IdentityState): 'plain' | 'partial' | 'hidden' {
  const { request, formerKey, publicKey } = kept;
  const { active_recovery: active, public_key } = identity;
  if (public_key === publicKey) return 'plain';
  if (!request) return 'plain';
  const shows = active === null || active.request_id === request.requestId;
  return shows && public_key === formerKey ? 'partial' : 'hidden';
}

/** The status of a link that ended before it expired, by the reason in the details of the error. */
const ENDED: Readonly<Record<string, LinkStatus['state']>> = {
  SUPERSEDED: 'superseded',
  DESTROYED: 'unknown',
  RESTORED: 'unknown',
};

/** Null where the response is about something else. */
export function linkStatusOf(answer: Answered<Pick<RecoveryConfirmation, 'confirmations'>>): LinkStatus | null {
  if (answer.ok) return { state: 'open', confirmations: answer.body.confirmations };
  const { code, details } = answer.failure;
  const confirmations = typeof details?.confirmations === 'number' ? details.confirmations : null;
  switch (code) {
    case 'LINK_USED':
      return { state: 'confirmed', confirmations };
    case 'REQUEST_CLOSED':
      return { state: details?.cancelled_at === undefined ? 'closed' : 'cancelled', confirmations };
    case 'LINK_EXPIRED':
      return { state: ENDED[String(details?.reason)] ?? 'expired', confirmations };
    case 'LINK_NOT_FOUND':
      return { state: 'unknown', confirmations };
    default:
      return null;
  }
}

/** Null where the identity has ended, undefined after another failure. */
export function identityIn(answer: Answered<Pick<Beo, keyof IdentityState>>): IdentityState | null | undefined {
  if (!answer.ok) return ['BEO_NOT_FOUND', 'BEO_DESTROYED'].includes(answer.failure.code) ? null : undefined;
  const { status, public_key, active_recovery } = answer.body;
  return status === 'DESTROYED' || public_key === null ? null : { public_key, status, active_recovery };
}

const POLL_MS = 5_000;
/** Slower where each poll also reads the links: 60 reads a minute are allowed. */
const LINKS_POLL_MS = 15_000;
const MAX_MS = 60_000;

/** The pause before the next poll, in ms: longer after each failure, and never shorter than the server asks for. */
export function pause({ failures, links, wait }: { failures: number; links: boolean; wait: number }): number {
  const usual = links ? LINKS_POLL_MS : POLL_MS;
  return Math.max(wait, Math.min(usual * 2 ** failures, MAX_MS));
}
