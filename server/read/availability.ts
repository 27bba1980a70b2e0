import type { Pool } from 'pg';
import { domainProblem, normalDomain } from '../../protocol/domains.ts';
import type { Instant } from '../../protocol/entities/recorded.ts';
import { available } from '../db/pool.ts';

/** Whether a domain is available now. */
export type Availability =
  | { readonly state: 'free' | 'taken' }
  | { readonly state: 'impossible'; readonly code: 'DOMAIN_INVALID' | 'DOMAIN_RESERVED' }
  /** Released recently, in its waiting period. */
  | { readonly state: 'resting'; readonly availableAt: Instant };

interface Parts {
  readonly pool: Pool;
  readonly suffix: string;
  /** ms */
  readonly now: () => number;
}

/** A hint only: createBEO and createIEO decide. */
export async function domainAvailability({ pool, suffix, now }: Parts, domain: string): Promise<Availability> {
  const problem = domainProblem(domain, suffix);
  if (problem)
    return { state: 'impossible', code: problem.code === 'DOMAIN_RESERVED' ? problem.code : 'DOMAIN_INVALID' };
  const { rows } = await available(() =>
    pool.query<{ taken: boolean; available_at: Instant | null }>({
      name: 'domain-availability',
      text: 'SELECT holder_id IS NOT NULL AS taken, available_at FROM names WHERE id = $1',
      values: [normalDomain(domain)],
    }),
  );
  const [name] = rows;
  if (!name) return { state: 'free' };
  if (name.taken) return { state: 'taken' };
  const waits = name.available_at !== null && Date.parse(name.available_at) > now();
  return waits ? { state: 'resting', availableAt: name.available_at ?? '' } : { state: 'free' };
}
