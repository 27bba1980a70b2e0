import type { z } from 'zod';
import type { Beo } from '../entities/beo.ts';
import type { Entities } from '../entities/entities.ts';
import { hasEnded } from '../entities/ieo.ts';
import type { Instant } from '../entities/recorded.ts';
import { type Revocation, revocationCovers } from '../entities/revocation.ts';
import { isLive, type Token } from '../entities/token.ts';
import type * as views from '../entities/views.ts';
import type { Answered, Reference, Subjects } from '../operation.ts';

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
export const revokedCount = (_: Beo, { changes }: Pick<Answered, 'changes'>): z.output<typeof views.revokedCount> => ({
  revoked_count: changes.filter(({ kind }) => kind === 'TOKEN').length,
});
