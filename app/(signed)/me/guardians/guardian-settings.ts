import type { GuardianRole } from '../../../../protocol/entities/guardian.ts';
import type { RecoveryFields } from '../../../../protocol/shapes.ts';
import { type GuardiansStatus, isTaken, type Place } from './status.ts';

/** The name by which the holder knows a guardian, and how to reach them. */
export interface Person {
  readonly name: string;
  readonly contact: string;
}

/** Is signed where no contact was given: the protocol requires a visible one. */
export const NO_CONTACT = '–';

export type Change =
  | { readonly kind: 'remove' | 'reinvite'; readonly role: GuardianRole }
  /** Recovery is turned on again. */
  | { readonly kind: 'enable' };

/** The places that are taken after a change. */
export const placesAfter = ({ places }: GuardiansStatus, change: Change): readonly Place[] =>
  places.filter((place) => isTaken(place) && !(change.kind === 'remove' && place.role === change.role));

/** The guardians among them who get a new link: a change does not keep open invitations. */
export const reinvited = (places: readonly Place[]): readonly Place[] =>
  places.filter(({ state }) => state === 'invited');

/**
 * The `recovery` of an updateRecovery (protocol §4). Guardians are named by id: the vault has their names, and naming a key
 * would sign for one that the holder has not compared.
 */
export const configurationOf = (guardiansStatus: GuardiansStatus, change: Change): RecoveryFields => ({
  enabled: change.kind === 'enable' || guardiansStatus.readiness !== 'off',
  guardians: placesAfter(guardiansStatus, change).flatMap(({ role, guardian }) =>
    guardian ? [{ role, guardian_id: guardian.guardian_id }] : [],
  ),
});
