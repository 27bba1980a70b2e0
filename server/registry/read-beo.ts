import { type BeoView, beoView } from '../../protocol/entities.ts';
import { refusal } from '../../protocol/errors.ts';
import type { Clock } from '../clock.ts';
import type { BeoRead, BeoReader } from './beo-reader.ts';

interface Parts {
  readonly beos: BeoReader;
  readonly clock: Clock;
}

/** @throws DOMAIN_INVALID, BEO_NOT_FOUND (a destroyed identity has no domain any more) */
export const readBeoByDomain = async (parts: Parts, domain: string): Promise<BeoView> =>
  view(parts, await parts.beos.byDomain(domain));

/** By any form of the alias rule. @throws VALIDATION_FAILED, BEO_NOT_FOUND */
export const readBeoByReference = async (parts: Parts, reference: string): Promise<BeoView> =>
  view(parts, await parts.beos.byReference(reference));

function view({ clock }: Parts, found: BeoRead | null): BeoView {
  if (!found) throw refusal('BEO_NOT_FOUND');
  return beoView(found.beo, found.status, clock.now());
}
