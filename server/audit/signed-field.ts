import type { Role } from '../../protocol/operation.ts';
import type { AnyOperation } from '../../protocol/operations.ts';

/** The signed field that names the entity in a role, be it found by that field or through another entity; null where there is none. */
export function signedFieldOf({ subjects, mustName, fields }: AnyOperation, role: Role): string | null {
  const subject = subjects[role];
  if (subject && 'field' in subject) return subject.field;
  return mustName?.role === role && Object.hasOwn(fields.shape, mustName.field) ? mustName.field : null;
}
