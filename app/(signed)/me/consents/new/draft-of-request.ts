import type { ConsentRequest } from '../../../../../protocol/consent-request.ts';
import { dayOf } from '../../../../../protocol/days.ts';
import { lessOf } from '../../../../_wizard/unusual.ts';
import type { AskedConsent } from '../../../../_wizard/verify-request.ts';
import { type Draft, EMPTY, type Grant } from './draft.ts';
import type { Recipient } from './restrictions.ts';

export const recipientOf = ({ institution }: Pick<AskedConsent, 'institution'>): Recipient => ({
  kind: 'institution',
  id: institution.ieo_id,
  domain: institution.domain,
  name: institution.display_name,
  type: institution.ieo_type,
  mark: institution,
});

/** The answers with which a request begins: less than it asks where it is broad. */
export function draftOf({ request, institution }: Pick<AskedConsent, 'request' | 'institution'>): Draft {
  const { intents, categories, days } = lessOf(request, institution);
  const { period, levels, max_records: most } = request.scope;
  const dayIn = (end: string | null | undefined) => (end ? dayOf(Date.parse(end)) : '');
  return {
    ...EMPTY,
    recipient: recipientOf({ institution }),
    intents,
    data: 'some',
    categories,
    when: period ? 'some' : 'any',
    from: dayIn(period?.from),
    to: dayIn(period?.to),
    most: most === null ? '' : `${most}`,
    lasting: days,
    levels,
  };
}

/** The answers without what exceeds the request. Its dates are moments, and in another zone their days begin earlier or end later. */
export function narrowed(
  grant: Grant,
  { scope, expiresInDays }: Pick<ConsentRequest, 'scope' | 'expiresInDays'>,
): Grant {
  const { categories, levels, period, max_records: most } = scope;
  const from = last(grant.period?.from, period?.from);
  const to = first(grant.period?.to, period?.to);
  return {
    intents: grant.intents.filter((intent) => scope.intents.includes(intent)),
    categories: categories.includes('*')
      ? grant.categories
      : grant.categories.filter((code) => categories.includes(code)),
    levels: levels.length > 0 ? levels : grant.levels,
    period: from === null && to === null ? null : { from, to },
    most: least(grant.most, most),
    days: least(grant.days, expiresInDays),
  };
}

type End = string | null | undefined;
const ends = (...given: End[]) => given.filter((end) => typeof end === 'string').toSorted();
const first = (...given: End[]): string | null => ends(...given)[0] ?? null;
const last = (...given: End[]): string | null => ends(...given).at(-1) ?? null;
const least = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);
