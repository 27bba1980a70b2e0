import type { Role } from '../../protocol/operation.ts';
import type { AnyOperation } from '../../protocol/operations.ts';

/** The signed field that names the entity in a role, be it found by that field or through another entity; null where there is none. */
export function signedFieldOf({ subjects, hinted, fields }: AnyOperation, role: Role): string | null {
  const subject = subjects[role];
  if (subject && 'field' in subject) return subject.field;
  return hinted?.role === role && Object.hasOwn(fields.shape, hinted.hint) ? hinted.hint : null;
}
