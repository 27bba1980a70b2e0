import { domainProblem } from '../../protocol/domains.ts';
import { type BeoView, beoView } from '../../protocol/entities/beo.ts';
import { refusal } from '../../protocol/errors.ts';
import type { Clock } from '../clock.ts';
import type { EntityRead, Readers } from '../entities/readers.ts';

interface Parts {
  readonly readers: Readers;
  readonly clock: Clock;
}

/** @throws DOMAIN_INVALID, DOMAIN_RESERVED, BEO_NOT_FOUND (a destroyed identity has no domain) */
export async function readBeoByDomain(parts: Parts & { readonly suffix: string }, domain: string): Promise<BeoView> {
  const problem = domainProblem(domain, parts.suffix);
  if (problem) throw problem;
  return view(parts, await parts.readers.BEO.byDomain(domain));
}

/** By any form of the alias rule. @throws VALIDATION_FAILED, BEO_NOT_FOUND */
export const readBeoByReference = async (parts: Parts, reference: string): Promise<BeoView> =>
  view(parts, await parts.readers.BEO.byReference(reference, 'beoId'));

function view({ clock }: Parts, found: EntityRead<'BEO'> | null): BeoView {
  if (!found) throw refusal('BEO_NOT_FOUND');
  return beoView(found.entity, found.status, clock.now());
}
