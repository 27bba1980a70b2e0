import codes from './codes.json' with { type: 'json' };
import others from './other-codes.json' with { type: 'json' };

/** A term of LOINC by its code and long common name. */
export interface LoincTerm {
  readonly code: string;
  readonly name: string;
}

export type ObservationCategory = 'laboratory' | 'vital-signs' | 'activity';

/** The LOINC terms of a biomarker measured in one of `units` (UCUM): mass and substance concentration differ. */
export interface CodeRow {
  readonly biomarker: string;
  readonly loinc: readonly LoincTerm[];
  /** LOINC's abbreviation of the kind of property, such as MCnc. */
  readonly property: string;
  readonly units: readonly string[];
  readonly category: ObservationCategory;
  /** For a value that is an object: the members with their own terms. */
  readonly components?: Readonly<Record<string, LoincTerm>>;
  /** A key of `sources`. */
  readonly source: string;
}

interface Codes {
  readonly sources: Readonly<Record<string, string>>;
  readonly rows: readonly (Omit<CodeRow, 'category'> & { readonly category: string })[];
}

const CATEGORIES: Readonly<Record<string, ObservationCategory>> = {
  laboratory: 'laboratory',
  'vital-signs': 'vital-signs',
  activity: 'activity',
};

const { rows }: Codes = codes;

const rowsByBiomarker = new Map<string, CodeRow[]>();
for (const row of rows) {
  const all = rowsByBiomarker.get(row.biomarker) ?? [];
  rowsByBiomarker.set(row.biomarker, [...all, { ...row, category: CATEGORIES[row.category] ?? 'laboratory' }]);
}

/** The row of a biomarker in a UCUM unit; undefined if no LOINC term is certain. */
export const codeRowOf = (biomarker: string, ucum: string | undefined): CodeRow | undefined =>
  ucum === undefined ? undefined : rowsByBiomarker.get(biomarker)?.find((row) => row.units.includes(ucum));

/** Terms that mean the same as one of a biomarker, and are read but not written. */
interface OtherTerms extends Pick<CodeRow, 'biomarker' | 'property' | 'loinc' | 'source'> {
  /** Of a property that the biomarker has no row for. */
  readonly units?: readonly string[];
}

const otherTerms: readonly OtherTerms[] = others.rows;
const otherRows = otherTerms.map(({ biomarker, property, ...other }): CodeRow => {
  const row = rowsByBiomarker.get(biomarker)?.find((each) => each.property === property);
  return { biomarker, property, category: 'laboratory', units: [], ...row, ...other };
});

const rowsByLoinc = new Map<string, CodeRow[]>();
for (const row of [...[...rowsByBiomarker.values()].flat(), ...otherRows]) {
  for (const { code } of row.loinc) rowsByLoinc.set(code, [...(rowsByLoinc.get(code) ?? []), row]);
}

/** The rows of a LOINC code: several where the taxonomy lists one analyte under several biomarkers. */
export const codeRowsOfLoinc = (loinc: string): readonly CodeRow[] => rowsByLoinc.get(loinc) ?? [];
