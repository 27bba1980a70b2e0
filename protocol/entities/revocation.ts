import type { BeoId } from '../ids.ts';
import type { Answered, Reference, Subjects } from '../operation.ts';
import type { Beo } from './beo.ts';
import type { Entities } from './entities.ts';
import { hasEnded } from './ieo.ts';
import type { Instant } from './recorded.ts';
import { type Intent, isLive, type Token } from './token.ts';

/** The tokens of a holder that one operation revokes: all of them, those of one grantee, or those with one intent. */
export interface Revocation {
  readonly beoId: BeoId;
  readonly granteeId?: string;
  readonly intent?: Intent;
}

/** Whether a revocation covers a token. Ignores the status of the token. */
export const revocationCovers = (
  { granteeId, intent }: Omit<Revocation, 'beoId'>,
  token: { readonly granteeId: string; readonly intents: readonly Intent[] },
): boolean =>
  (granteeId === undefined || token.granteeId === granteeId) &&
  (intent === undefined || token.intents.includes(intent));

/** The live tokens that a revocation covers, as revoked. Skips tokens whose grantee has ended: they ended with it. Protocol §3. */
export function revokedTokens(entities: Entities, revocation: Revocation, at: Instant): Token[] {
  const isCovered = (token: Token): boolean => {
    const { grantee, scope } = token;
    const institution = grantee.kind === 'IEO' ? entities.get('IEO', grantee.id) : undefined;
    if (institution && hasEnded(institution)) return false;
    return (
      isLive(token, Date.parse(at)) && revocationCovers(revocation, { granteeId: grantee.id, intents: scope.intents })
    );
  };
  return entities
    .tokensOf(revocation.beoId)
    .filter(isCovered)
    .map((token) => ({ ...token, revokedAt: at }));
}

/** The trait `touches` of a revocation. */
export const tokensOfHolder = (_: unknown, { holder }: Subjects): readonly Reference[] =>
  holder ? [{ tokensOf: holder.id }] : [];

/** The response to a revocation. Protocol §4. */
export const revokedCount = (_: Beo, { changes }: Pick<Answered, 'changes'>) => ({
  revoked_count: changes.filter(({ kind }) => kind === 'TOKEN').length,
});
