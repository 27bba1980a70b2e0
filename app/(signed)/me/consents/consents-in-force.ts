import type { TokenView } from '../../../../protocol/entities/token.ts';

export const inForce = ({ status }: TokenView): boolean => status === 'ACTIVE';

/** A holder's consent to themselves. */
export const isOwn = ({ beo_id, ieo_id }: TokenView): boolean => (ieo_id as string) === beo_id;

/** The numbers of consents that every page shows: to others, in force and ended, and to the holder themselves, in force. */
export function countsOf(consents: readonly TokenView[]) {
  const others = consents.filter((consent) => !isOwn(consent));
  const live = others.filter(inForce).length;
  return { live, ended: others.length - live, own: consents.filter((one) => isOwn(one) && inForce(one)).length };
}
