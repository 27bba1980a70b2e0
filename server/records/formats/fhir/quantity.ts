import { ucumOf } from './codes.ts';
import { type Decimal, decimalOf, type FhirObject } from './fhir-json.ts';
import { fhirText } from './primitives.ts';
import { UCUM } from './systems.ts';

/** The unit of a quantity as it was sent, and its code in UCUM where that is certain. */
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

/**
 * A text that is a number, with the digits it was written with, or one beyond what could be measured ("<0.5"); null for other
 * texts.
 */
export function quantityOfText(text: string, unit: string): FhirObject | null {
  const plain = decimalOf(text.trim());
  if (plain) return quantity(plain, unit);
  const [, comparator = '', limit = ''] = COMPARED.exec(text) ?? [];
  const beyond = decimalOf(limit);
  return beyond && { ...quantity(beyond, unit), comparator: COMPARATORS[comparator] ?? comparator };
}
