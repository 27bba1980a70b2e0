import type { BioRecord } from '../records/record.ts';
import type { Json } from '../signing/canonical-json.ts';
import { isStructured } from './value.ts';

/** A value, or a member of an object, as people write it. */
export interface ValuePart {
  /** Null where the value has no members, and for the pressure in a blood pressure. */
  readonly name: string | null;
  readonly text: string;
  /** Whether the unit of the record follows it. */
  readonly hasUnit: boolean;
}

/** What people read of a value: as it was sent, neither rounded nor localized; systolic and diastolic pressure as 132/84. */
export function valueParts(value: Json): readonly ValuePart[] {
  if (!isStructured(value)) return [{ name: null, text: memberText(value), hasUnit: true }];
  const { systolic, diastolic, ...others } = value;
  const isPressure = isScalar(systolic) && isScalar(diastolic);
  const members = Object.entries(isPressure ? others : value);
  const named = members.map(([name, member], index) => ({
    name,
    text: memberText(member ?? null),
    hasUnit: !isPressure && index === members.length - 1,
  }));
  return isPressure ? [{ name: null, text: `${systolic}/${diastolic}`, hasUnit: true }, ...named] : named;
}

const isScalar = (value: Json | undefined): boolean => typeof value === 'number' || typeof value === 'string';

function memberText(value: Json): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(memberText).join(', ');
  return isStructured(value) ? `(${valueText(value)})` : JSON.stringify(value);
}

/** The unit as people write it: the 1 of UCUM means that there is none. */
export const shownUnit = (unit: string): string => (unit.trim() === '1' ? '' : unit);

const joined = (value: Json, unit: string): string =>
  valueParts(value)
    .map(({ name, text, hasUnit }) => [name, text, hasUnit && unit].filter(Boolean).join(' '))
    .join(', ');

/** “132/84”, or “PFOA 1.2, PFOS 3.4”. */
export const valueText = (value: Json): string => joined(value, '');

/** The value of a record with its unit: “132/84 mmHg, pulse 71”. */
export const measuredText = ({ value, unit }: Pick<BioRecord, 'value' | 'unit'>): string =>
  joined(value, shownUnit(unit));
