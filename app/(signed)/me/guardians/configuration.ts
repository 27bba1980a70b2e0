import type { Json } from '../../../../protocol/canonical-json.ts';
import type { GuardianRole } from '../../../../protocol/ids.ts';
import { isTaken, type Place, type Standing } from './standing.ts';

/** What the holder calls a guardian and how to reach them. */
export interface Person {
  readonly name: string;
  readonly contact: string;
}

export type Change =
  | { readonly kind: 'remove' | 'anew'; readonly role: GuardianRole }
  /** Recovery is turned on again. */
  | { readonly kind: 'enable' };

/** Who has a place after a change. */
export const placesAfter = ({ places }: Standing, change: Change): readonly Place[] =>
  places.filter((place) => isTaken(place) && !(change.kind === 'remove' && place.role === change.role));

/** Those of them who get a new link: an invitation that is open cannot be kept by a change. */
export const invitedAnew = (places: readonly Place[]): readonly Place[] =>
  places.filter(({ state }) => state === 'invited');

/**
 * The `recovery` of an updateRecovery (protocol §4): everybody by their id, for the vault has their names. Keys are left out:
 * naming one would sign for a key that the holder has compared with nobody.
 */
export const configurationOf = (standing: Standing, change: Change): Json => ({
  enabled: change.kind === 'enable' || standing.readiness !== 'off',
  guardians: placesAfter(standing, change).flatMap(({ role, guardian }) =>
    guardian ? [{ role, guardian_id: guardian.guardian_id }] : [],
  ),
});
