import type { FhirObject } from './fhir-json.ts';
import { fhirText, xhtml } from './primitives.ts';

const MAX_CHARACTERS = 300;

/** A narrative generated from what the resource says, for systems that show nothing else. https://hl7.org/fhir/R4/narrative.html */
export function narrative(...parts: readonly (string | null | undefined)[]): FhirObject {
  const said = parts.flatMap((part) => (part ? (fhirText(part) ?? []) : []));
  const whole = said.join(' ');
  const text = whole.length > MAX_CHARACTERS ? `${[...whole].slice(0, MAX_CHARACTERS).join('')}…` : whole;
  return { status: 'generated', div: `<div xmlns="http://www.w3.org/1999/xhtml">${xhtml(text)}</div>` };
}
