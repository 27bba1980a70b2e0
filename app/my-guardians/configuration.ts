import type { Json } from '../../protocol/canonical-json.ts';
import type { GuardianRole } from '../../protocol/ids.ts';
import { isTaken, type Place, type Standing } from './standing.ts';

/** What the holder calls a guardian and how to reach them: in no read, so that whoever stays is named anew. */
export interface Person {
  readonly name: string;
  readonly contact: string;
}

export type Change =
  | { readonly kind: 'remove' | 'anew'; readonly role: GuardianRole }
  /** Recovery is turned on again. */
  | { readonly kind: 'enable' };

/** Whom a change needs named: everybody who has a place afterwards. */
export const placesAfter = ({ places }: Standing, change: Change): readonly Place[] =>
  places.filter((place) => isTaken(place) && !(change.kind === 'remove' && place.role === change.role));

/** Those of them who get a new link: an invitation that is open cannot be kept by a change. */
export const invitedAnew = (places: readonly Place[]): readonly Place[] =>
  places.filter(({ state }) => state === 'invited');

/**
 * The `recovery` of an updateRecovery (protocol §4): whoever is ACTIVE is kept by their key, the others are
 * invited anew, those bound to a key to the same one.
 * @throws {Error} where somebody who stays is not named.
 */
export function configurationOf(
  standing: Standing,
  change: Change,
  people: Partial<Record<GuardianRole, Person>>,
): Json {
  const guardians = placesAfter(standing, change).map(({ role, guardian }) => {
    const person = people[role];
    if (!person) throw new Error(`The ${role} guardian has no name.`);
    const { name, contact } = person;
    return { role, name: name.trim(), contact: contact.trim(), public_key: guardian?.public_key ?? null };
  });
  return { enabled: change.kind === 'enable' || standing.readiness !== 'off', guardians };
}
