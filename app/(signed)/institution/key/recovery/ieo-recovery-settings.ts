import { GUARDIAN_ROLES } from '../../../../../protocol/entities/guardian.ts';
import type { RecoveryFields } from '../../../../../protocol/shapes.ts';

/** A guardian of an institution, as typed. */
export interface Person {
  readonly name: string;
  readonly contact: string;
  /** Hex, or empty. */
  readonly publicKey: string;
}

export type PersonProblem = 'name' | 'contact' | 'publicKey' | 'sameKey';

export const NO_PERSON: Person = { name: '', contact: '', publicKey: '' };
/** The threshold. */
export const MIN_GUARDIANS = 2;
export const MAX_GUARDIANS = GUARDIAN_ROLES.length;

const KEY = /^[0-9a-f]{64}$/i;

/** The problem of each person, or null. `ownKey`: the key of the institution. */
export function problemsOf(people: readonly Person[], ownKey: string | null): (PersonProblem | null)[] {
  const keys = people.map(({ publicKey }) => publicKey.trim().toLowerCase());
  return people.map(({ name, contact }, index) => {
    const key = keys[index] ?? '';
    if (name.trim() === '') return 'name';
    if (contact.trim() === '') return 'contact';
    if (key === '') return null;
    if (!KEY.test(key)) return 'publicKey';
    return key === ownKey || keys.indexOf(key) < index ? 'sameKey' : null;
  });
}

/** The `recovery` of an updateRecovery (protocol §4); roles follow the order of the people. */
export const configurationOf = (people: readonly Person[]): RecoveryFields => ({
  enabled: true,
  guardians: people.flatMap(({ name, contact, publicKey }, index) => {
    const role = GUARDIAN_ROLES[index];
    const key = publicKey.trim().toLowerCase();
    return role ? [{ role, name: name.trim(), contact: contact.trim(), public_key: key === '' ? null : key }] : [];
  }),
});
