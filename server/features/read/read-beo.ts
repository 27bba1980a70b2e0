import { domainProblem } from '../../../protocol/domains.ts';
import { type BeoView, beoView } from '../../../protocol/entities/beo.ts';
import { cooldownEnd } from '../../../protocol/entities/social-recovery.ts';
import { refusal } from '../../../protocol/errors.ts';
import type { EntityRead, Readers } from '../../entities/readers.ts';
import type { Clock } from '../../platform/db/clock.ts';

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

/** Until when the identity cannot be destroyed after a recovery; null if it can. @throws VALIDATION_FAILED, BEO_NOT_FOUND */
export async function readCooldown({ readers, clock }: Parts, reference: string): Promise<{ until: string | null }> {
  const beo = await readers.BEO.entity(reference, 'beoId');
  if (!beo) throw refusal('BEO_NOT_FOUND');
  return { until: cooldownEnd(beo.recovery, clock.now()) };
}

function view({ clock }: Parts, found: EntityRead<'BEO'> | null): BeoView {
  if (!found) throw refusal('BEO_NOT_FOUND');
  return beoView(found.entity, found.status, clock.now());
}
