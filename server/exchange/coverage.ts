import { refusal } from '../../protocol/errors.ts';
import type { Instant } from '../../protocol/recorded.ts';
import { CATEGORIES, levelOf } from '../../protocol/taxonomy.ts';
import { covers } from '../../protocol/token.ts';
import type { TokenUse } from '../../protocol/token-use.ts';

interface Asked {
  readonly categories?: readonly string[] | null;
  readonly levels?: readonly string[] | null;
  readonly from?: Instant | null;
  readonly to?: Instant | null;
}

/**
 * The categories that a token covers, and those of them that are asked for; null where that is all there are.
 * @param named categories that are asked for by name
 * @throws CATEGORY_NOT_AUTHORIZED for one of them that it does not cover
 */
export function coveredCategories(
  { token, grantee }: TokenUse,
  named: readonly string[],
  { categories, levels }: Asked,
) {
  const type = grantee.kind === 'IEO' ? grantee.ieoType : null;
  const inScope = (category: string): boolean =>
    covers(token.scope, category, type) &&
    (token.scope.levels.length === 0 || token.scope.levels.includes(levelOf(category) ?? ''));
  const beyond = named.find((category) => !inScope(category));
  if (beyond !== undefined) {
    throw refusal('CATEGORY_NOT_AUTHORIZED', `The consent does not cover ${beyond}.`, { category: beyond });
  }
  const scope = CATEGORIES.filter(inScope);
  const asked = scope.filter(
    (category) =>
      (!categories || categories.includes(category)) && (!levels || levels.includes(levelOf(category) ?? '')),
  );
  return {
    scope: scope.length === CATEGORIES.length ? null : scope,
    asked: asked.length === scope.length ? null : asked,
  };
}

/**
 * From when to when records are looked for, both included.
 * @throws PERIOD_NOT_AUTHORIZED where more is asked for than the token covers
 */
export function coveredPeriod({ token }: TokenUse, { from = null, to = null }: Asked) {
  const scopeFrom = token.scope.period?.from ?? null;
  const scopeTo = token.scope.period?.to ?? null;
  const early = from !== null && scopeFrom !== null && Date.parse(from) < Date.parse(scopeFrom);
  const late = to !== null && scopeTo !== null && Date.parse(to) > Date.parse(scopeTo);
  if (early || late) throw refusal('PERIOD_NOT_AUTHORIZED', undefined, { period: token.scope.period });
  return { from: from ?? scopeFrom, to: to ?? scopeTo, scopeFrom, scopeTo };
}
