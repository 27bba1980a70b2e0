import { folded } from '../../folded-text.ts';
import type { JsonObject } from '../../signing/message.ts';
import { listOf, type Member, objectOf, textOf } from './fhir-members.ts';
import { type Codes, rowsOf } from './observation-code.ts';

/** In the languages of the pages and German, folded; at last as HL7 v2 and LOINC shorten them. */
const BLOOD =
  /blood|serum|(?<!seminal ?)plasma(?! seminal)|sangue|soro|sangre|suero|blut|\bveno|arteri|[ck]apill?ar|\b(?:ser|plas|bld|wb)\b/;
/** SNOMED CT: blood (also whole, venous, capillary, arterial, with EDTA), serum, plasma, either of them. */
const BLOOD_CODES = [
  ...['119297000', '258580003', '122555007', '122554006', '122552005', '445295009'],
  ...['119364003', '119361006', '122592007'],
];
/** What stands in a text that only numbers a specimen. */
const NUMBERED = /\S*\d\S*|\b(?:specimen|sample|amostra|muestra|probe)\b/g;

const isOfBlood = (text: string): boolean => BLOOD.test(folded(text)) || BLOOD_CODES.includes(text);
const isNamed = (text: string): boolean => /\p{L}{2}/u.test(folded(text).replace(NUMBERED, ''));

/**
 * What a specimen is, by the element of an Observation and the Specimen that it refers to, if it is stated and is none of blood, serum
 * and plasma; else null.
 */
export function otherThanBlood(element: Member, specimen: JsonObject | undefined): string | null {
  const reference = objectOf(element);
  // Some systems write the concept in place of the reference.
  const concepts = [reference, objectOf(specimen?.type)];
  const codings = concepts.flatMap((concept) => listOf(concept?.coding));
  const textsOf = (members: readonly Member[]) => members.flatMap((member) => textOf(member) ?? []);
  const texts = textsOf([
    ...concepts.map((concept) => concept?.text),
    ...codings.map(({ display }) => display),
    reference?.display,
  ]);
  const stated = [...texts.filter(isNamed), ...textsOf(codings.map(({ code }) => code))];
  return stated.some(isOfBlood) ? null : (stated[0] ?? null);
}

/** In the names of LOINC: blood pressure is not measured in blood. */
const IN_BLOOD = /\b(?:in|of) .*(?:serum|plasma|blood)/i;

/** Whether a LOINC code is one of something in blood, serum or plasma. */
export const isForBlood = (codes: Codes): boolean =>
  rowsOf(codes).some(({ loinc }) => loinc.some(({ code, name }) => codes.loinc.includes(code) && IN_BLOOD.test(name)));
