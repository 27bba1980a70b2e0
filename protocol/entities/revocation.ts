import type { BeoId } from '../ids.ts';
import { hasEnded, type Ieo } from './ieo.ts';
import type { Intent } from './intents.ts';
import type { Instant } from './recorded.ts';
import { isLive, type Token } from './token.ts';

/**
 * The end of the live tokens of a holder by one operation: of all, of those of one grantee, or of those with one intent. It names no
 * token, so that an operation costs the same for any number of them. Protocol §3.
 */
export interface Revocation {
  readonly beoId: BeoId;
  readonly granteeId?: string;
  readonly intent?: Intent;
  readonly at: Instant;
}

/** With the seq of its entry. It covers tokens of earlier entries. */
export interface RecordedRevocation extends Revocation {
  readonly seq: number;
}

/** Whether a revocation covers a token. Ignores the status of the token. */
export const revocationCovers = (
  { granteeId, intent }: Pick<Revocation, 'granteeId' | 'intent'>,
  token: { readonly granteeId: string; readonly intents: readonly Intent[] },
): boolean =>
  (granteeId === undefined || token.granteeId === granteeId) &&
  (intent === undefined || token.intents.includes(intent));

/**
 * A token after a later entry revoked tokens of its holder: the same object if it was not live or is not covered. A token whose
 * grantee has ended has ended with it. The view effective_tokens states the same in SQL.
 */
export function afterRevocation(token: Token, revocation: RecordedRevocation, institution: Ieo | undefined): Token {
  const { beoId, at, seq } = revocation;
  const { grantee, scope } = token;
  const isEnded =
    token.beoId === beoId &&
    token.createdSeq < seq &&
    isLive(token, Date.parse(at)) &&
    revocationCovers(revocation, { granteeId: grantee.id, intents: scope.intents }) &&
    !(grantee.kind === 'IEO' && institution && hasEnded(institution));
  return isEnded ? { ...token, revokedAt: at, seq } : token;
}
