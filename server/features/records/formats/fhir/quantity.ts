import { ucumOf } from './codes.ts';
import { type Decimal, decimalOf, type FhirObject } from './fhir-json.ts';
import { fhirText } from './primitives.ts';
import { UCUM } from './systems.ts';

/** A quantity with its unit as submitted, and the UCUM code if certain. */
export function quantity(value: number | Decimal, unit: string | null): FhirObject {
  const code = unit === null ? undefined : ucumOf(unit);
  return {
    value,
    unit: unit === null ? undefined : fhirText(unit),
    system: code === undefined ? undefined : UCUM,
    code,
  };
}

const COMPARED = /^\s*(<=|>=|<|>|≤|≥)\s*(\S+)\s*$/;
const COMPARATORS: Readonly<Record<string, string>> = { '≤': '<=', '≥': '>=' };

/** A quantity from a text: a number with its digits, or a limit such as "<0.5"; null for other texts. */
export function quantityOfText(text: string, unit: string): FhirObject | null {
  const plain = decimalOf(text.trim());
  if (plain) return quantity(plain, unit);
  const [, comparator = '', limit = ''] = COMPARED.exec(text) ?? [];
  const beyond = decimalOf(limit);
  return beyond && { ...quantity(beyond, unit), comparator: COMPARATORS[comparator] ?? comparator };
}
