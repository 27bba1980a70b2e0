import { isDay } from '../../../protocol/days.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import { refusal } from '../../../protocol/errors.ts';
import { categoriesCoveredBy } from '../../../protocol/records/coverage.ts';
import { CATEGORIES, levelOf } from '../../../protocol/records/taxonomy.ts';
import type { TokenUse } from '../../../protocol/records/token-use.ts';

interface Asked {
  readonly categories?: readonly string[] | null;
  readonly levels?: readonly string[] | null;
  /** A point in time, or a date. */
  readonly from?: string | null;
  readonly to?: string | null;
}

/**
 * The categories that a token covers (`scope`), and those of them that are requested (`asked`); null for all.
 * @param named categories requested by name
 * @throws CATEGORY_NOT_AUTHORIZED for a named category that is not covered
 */
export function coveredCategories(
  { token, grantee }: TokenUse,
  named: readonly string[],
  { categories, levels }: Asked,
) {
  const type = grantee.kind === 'IEO' ? grantee.ieoType : null;
  const scope = categoriesCoveredBy(token.scope, type);
  const beyond = named.find((category) => !scope.includes(category));
  if (beyond !== undefined) {
    throw refusal('CATEGORY_NOT_AUTHORIZED', `The consent does not cover ${beyond}.`, { category: beyond });
  }
  const asked = scope.filter(
    (category) =>
      (!categories || categories.includes(category)) && (!levels || levels.includes(levelOf(category) ?? '')),
  );
  return {
    scope: scope.length === CATEGORIES.length ? null : scope,
    asked: asked.length === scope.length ? null : asked,
  };
}

/** The first and the last moment of a filter: a date covers its whole day in UTC. */
const spanOf = (text: string): { readonly first: Instant; readonly last: Instant } =>
  isDay(text) ? { first: `${text}T00:00:00.000Z`, last: `${text}T23:59:59.999Z` } : { first: text, last: text };

const later = (one: Instant, other: Instant | null): Instant =>
  other !== null && Date.parse(other) > Date.parse(one) ? other : one;

const earlier = (one: Instant, other: Instant | null): Instant =>
  other !== null && Date.parse(other) < Date.parse(one) ? other : one;

/**
 * The period of a read, both ends included. A date on the edge of the token's period means its covered part.
 * @throws PERIOD_NOT_AUTHORIZED if the request exceeds the token's period
 */
export function coveredPeriod({ token }: TokenUse, asked: Asked) {
  const [from, to] = [asked.from, asked.to].map((text) => (text ? spanOf(text) : null));
  const scopeFrom = token.scope.period?.from ?? null;
  const scopeTo = token.scope.period?.to ?? null;
  const early = from && scopeFrom !== null && Date.parse(from.last) < Date.parse(scopeFrom);
  const late = to && scopeTo !== null && Date.parse(to.first) > Date.parse(scopeTo);
  if (early || late) throw refusal('PERIOD_NOT_AUTHORIZED', undefined, { period: token.scope.period });
  return {
    from: from ? later(from.first, scopeFrom) : scopeFrom,
    to: to ? earlier(to.last, scopeTo) : scopeTo,
    scopeFrom,
    scopeTo,
  };
}
