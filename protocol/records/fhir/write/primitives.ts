import { isDay } from '../../../days.ts';
import { parseTimestamp } from '../../../time.ts';
import type { FhirObject } from '../fhir-json.ts';
import { DATA_ABSENT_EXTENSION } from '../systems.ts';

/**
 * Converts a text to FHIR R4 (regex `[ \r
 * \t\S]+`, no controls except tab, CR and LF, only XML 1.0 characters, because a Bundle may become XML): other spaces
 * become plain, unsupported characters U+FFFD.
 * Undefined for white space only, because FHIR has no empty strings.
 */
export function fhirText(text: string): string | undefined {
  const carried = text
    .toWellFormed()
    .replace(/[\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(/[\p{Zs}\ufeff]/gu, ' ')
    .replace(/(?![\t\n\r])[\p{Cc}\ufffe\uffff]/gu, '\ufffd');
  return carried.trim() === '' ? undefined : carried;
}

/** Text of a narrative: https://hl7.org/fhir/R4/narrative.html */
export const xhtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const FHIR_INSTANT = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-](0\d|1[0-3]):[0-5]\d|[+-]14:00)$/;

/**
 * Converts a time to a FHIR instant: with seconds and a zone, year 0001 to 9999. A valid one is unchanged. Undefined if
 * FHIR cannot express it.
 */
export function fhirInstant(text: string): string | undefined {
  const time = parseTimestamp(text);
  if (time === null) return undefined;
  if (FHIR_INSTANT.test(text)) return text;
  const written = new Date(time).toISOString();
  return FHIR_INSTANT.test(written) ? written : undefined;
}

/** A day stays a day: https://hl7.org/fhir/R4/datatypes.html#dateTime */
export const fhirDateTime = (text: string): string | undefined => (isDay(text) ? text : fhirInstant(text));

const MAX_CHARACTERS = 300;

/** A generated narrative, for systems that show nothing else. https://hl7.org/fhir/R4/narrative.html */
export function narrative(...parts: readonly (string | null | undefined)[]): FhirObject {
  const texts = parts.flatMap((part) => (part ? (fhirText(part) ?? []) : []));
  const whole = texts.join(' ');
  const text = whole.length > MAX_CHARACTERS ? `${[...whole].slice(0, MAX_CHARACTERS).join('')}…` : whole;
  return generated(xhtml(text));
}

/** A generated narrative of several lines, none of them cut. */
export const narrativeList = (lines: readonly string[]): FhirObject =>
  generated(`<ul>${lines.map((line) => `<li>${xhtml(fhirText(line) ?? '')}</li>`).join('')}</ul>`);

const generated = (markup: string): FhirObject => ({
  status: 'generated',
  div: `<div xmlns="http://www.w3.org/1999/xhtml">${markup}</div>`,
});

/** In place of a value that FHIR expects, or requires. */
export const dataAbsent = (reason: 'unknown' | 'unsupported'): FhirObject => ({
  extension: [{ url: DATA_ABSENT_EXTENSION, valueCode: reason }],
});
