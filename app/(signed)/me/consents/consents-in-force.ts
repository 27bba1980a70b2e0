import type { TokenView } from '../../../../protocol/entities/token.ts';

export const inForce = ({ status }: TokenView): boolean => status === 'ACTIVE';

/** A holder's consent to themselves. */
export const isOwn = ({ beo_id, ieo_id }: TokenView): boolean => (ieo_id as string) === beo_id;

/** The numbers of consents that every page shows; own consents are included in those in force. */
export function countsOf(consents: readonly TokenView[]) {
  const live = consents.filter(inForce);
  return { live: live.length, own: live.filter(isOwn).length, ended: consents.length - live.length };
}
