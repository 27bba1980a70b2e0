import { convert, ucumOf } from '../../clinical/units.ts';
import { type CodeRow, codeRowsOfLoinc } from './codes.ts';
import { listOf, type Member, objectOf, textOf } from './fhir-members.ts';
import type { Found } from './observation-notes.ts';
import { BIOMARKER_SYSTEM, LOINC } from './systems.ts';

export interface Codes {
  /** Of the project. */
  readonly biomarker: string | null;
  readonly loinc: readonly string[];
  /** To show a code that is not known. */
  readonly shown: string;
}

export function codesOf(code: Member): Codes {
  const concept = objectOf(code);
  const codings = listOf(concept?.coding);
  const inSystem = (system: string) =>
    codings.flatMap((coding) => (coding.system === system ? (textOf(coding.code) ?? []) : []));
  const loinc = inSystem(LOINC);
  return {
    biomarker: inSystem(BIOMARKER_SYSTEM)[0] ?? null,
    loinc,
    shown: loinc[0] ?? textOf(codings[0]?.code) ?? textOf(concept?.text) ?? '',
  };
}

export const rowsOf = ({ loinc }: Codes): readonly CodeRow[] => loinc.flatMap(codeRowsOfLoinc);

export function biomarkerIn(codes: Codes, unit: string, path: string, found: Found): string {
  const rows = rowsOf(codes);
  const biomarkers = [...new Set(rows.map(({ biomarker }) => biomarker))];
  if (codes.biomarker !== null) {
    if (biomarkers.length > 0 && !biomarkers.includes(codes.biomarker))
      found.warning(`${path}.code`, 'severalCodes', [codes.biomarker, ...biomarkers].join(', '));
    return codes.biomarker;
  }
  const [biomarker] = biomarkers;
  if (biomarker === undefined) return codes.shown;
  if (biomarkers.length > 1) {
    found.warning(`${path}.code`, 'severalCodes', biomarkers.join(', '));
    return codes.shown;
  }
  // A code that is not in the table may be of another specimen.
  const unknown = codes.loinc.filter((code) => codeRowsOfLoinc(code).length === 0);
  if (unknown.length > 0) found.warning(`${path}.code`, 'severalCodes', [biomarker, ...unknown].join(', '));
  const isOfCode = rows.some(({ units }) => units.some((one) => convert(1, unit, one) !== null));
  if (ucumOf(unit) !== undefined && !isOfCode) found.warning(`${path}.code`, 'property', `${codes.shown}, ${unit}`);
  return biomarker;
}
