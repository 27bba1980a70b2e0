import type { Pool } from 'pg';
import { z } from 'zod';
import { parentDomains } from '../../../protocol/domains.ts';
import { type IeoView, isCertified } from '../../../protocol/entities/ieo.ts';
import { ieo } from '../../../protocol/entities/views.ts';
import { domain } from '../../../protocol/response-shapes.ts';
import type { Clock } from '../../platform/db/clock.ts';
import { available } from '../../platform/db/pool.ts';
import { type FindParts, findIeos } from './find-ieos.ts';

/** An institution with the facts that pages show beside its name. */
export const namedIeo = ieo.extend({
  certified: z.boolean().describe('Whether its certification is in force.'),
  domain_above: domain.nullable().describe('The nearest parent domain that has another holder.'),
});
export type NamedIeo = z.output<typeof namedIeo>;

interface Parts {
  readonly pool: Pool;
  readonly clock: Pick<Clock, 'now'>;
  readonly suffix: string;
}

interface Holder {
  readonly domain: string;
  readonly public_key: string | null;
}

/**
 * Adds the current certification and the parent domain's holder: `results.clinic.bsp` need not belong to the clinic.
 */
export async function nameIeos(parts: Parts, views: readonly IeoView[]): Promise<NamedIeo[]> {
  return views.map(await namer(parts, views));
}

export async function nameIeo(parts: Parts, view: IeoView): Promise<NamedIeo> {
  const name = await namer(parts, [view]);
  return name(view);
}

/** Active institutions with words in their name or domain that begin with each of the typed ones: see findIeos. */
export const findNamedIeos = async (parts: Parts & FindParts, typed: string, limit: number): Promise<NamedIeo[]> =>
  nameIeos(parts, await findIeos(parts, typed, limit));

async function namer({ pool, clock, suffix }: Parts, views: readonly IeoView[]): Promise<(view: IeoView) => NamedIeo> {
  const above = [...new Set(views.flatMap(({ domain }) => parentDomains(domain, suffix)))];
  const holders = above.length === 0 ? [] : await holdersOf(pool, above);
  const now = clock.now();
  return (view) => ({
    ...view,
    certified: isCertified(view, now),
    domain_above: parentWithOtherHolder(view, parentDomains(view.domain, suffix), holders),
  });
}

/** Equal keys mean one owner: registering an institution requires the private key. */
function parentWithOtherHolder(
  { public_key: key }: IeoView,
  above: readonly string[],
  holders: readonly Holder[],
): string | null {
  const nearest = above.flatMap((name) => holders.find(({ domain }) => domain === name) ?? [])[0];
  return nearest && (key === null || nearest.public_key !== key) ? nearest.domain : null;
}

async function holdersOf(pool: Pool, domains: readonly string[]): Promise<readonly Holder[]> {
  const { rows } = await available(() =>
    pool.query<Holder>({
      name: 'holders-of-domains',
      text: `SELECT n.id AS domain, coalesce(i.public_key, b.public_key) AS public_key FROM names n
        LEFT JOIN ieos i ON n.holder_kind = 'IEO' AND i.id = n.holder_id
        LEFT JOIN beos b ON n.holder_kind = 'BEO' AND b.id = n.holder_id
        WHERE n.id = ANY ($1::text[]) AND n.holder_id IS NOT NULL`,
      values: [domains],
    }),
  );
  return rows;
}
