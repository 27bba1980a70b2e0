import { ucumOf } from '../../../clinical/units.ts';
import { meaningOf } from '../../../clinical/value.ts';
import { type Decimal, decimalOf, type FhirObject } from '../fhir-json.ts';
import { UCUM } from '../systems.ts';
import { fhirText } from './primitives.ts';

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

/** A quantity from a text: a number with its digits, or a limit such as "<0.5"; null for other texts. */
export function quantityOfText(text: string, unit: string): FhirObject | null {
  const value = meaningOf(text);
  if (value.kind !== 'number' && value.kind !== 'limit') return null;
  const decimal = decimalOf(value.digits);
  return decimal && { ...quantity(decimal, unit), comparator: value.kind === 'limit' ? value.comparator : undefined };
}
