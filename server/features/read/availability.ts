import type { Pool } from 'pg';
import { domainProblem, normalDomain } from '../../../protocol/domains.ts';
import { available } from '../../platform/db/pool.ts';

/** Whether a domain is available. One that was released never is. */
export type Availability =
  | { readonly state: 'free' | 'taken' }
  | { readonly state: 'impossible'; readonly code: 'DOMAIN_INVALID' | 'DOMAIN_RESERVED' };

interface Parts {
  readonly pool: Pool;
  readonly suffix: string;
}

/** A hint only: createBEO and createIEO decide. */
export async function domainAvailability({ pool, suffix }: Parts, domain: string): Promise<Availability> {
  const problem = domainProblem(domain, suffix);
  if (problem)
    return { state: 'impossible', code: problem.code === 'DOMAIN_RESERVED' ? problem.code : 'DOMAIN_INVALID' };
  const { rows } = await available(() =>
    pool.query<{ taken: boolean }>({
      name: 'domain-availability',
      text: `SELECT EXISTS (SELECT FROM names WHERE id = $1)
               OR EXISTS (SELECT FROM retired_names WHERE digest = sha256(convert_to($1, 'UTF8'))) AS taken`,
      values: [normalDomain(domain)],
    }),
  );
  return { state: rows[0]?.taken ? 'taken' : 'free' };
}
