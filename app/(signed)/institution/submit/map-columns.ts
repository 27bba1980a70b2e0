import { folded } from '../../../../protocol/folded-text.ts';
import { type Column, FILE_COLUMNS, type FileColumn, REQUIRED_COLUMNS } from './file-columns.ts';
import type { ParsedCsv } from './read-csv.ts';

/** The position in the file's header of each column that is used. */
export type Mapping = Readonly<Partial<Record<FileColumn, number>>>;

/** Headers of spreadsheets and laboratory systems, besides the names of the columns themselves. */
const OTHER_NAMES: Readonly<Partial<Record<FileColumn, readonly string[]>>> = {
  patient: [
    ...['patient_id', 'person', 'beo_domain', 'domain', 'beo_id', 'consent_token', 'token_id'],
    ...['paciente', 'pessoa', 'persona', 'id_do_paciente', 'id_paciente', 'patienten_id'],
  ],
  biomarker: [
    ...['biomarker_code', 'code', 'test', 'test_code', 'analyte', 'exam'],
    ...['biomarcador', 'codigo', 'exame', 'examen', 'analito', 'prueba', 'analyt', 'untersuchung'],
  ],
  value: ['result', 'results', 'test_result', 'valor', 'resultado', 'wert', 'ergebnis', 'messwert'],
  unit: ['units', 'unit_of_measure', 'unidade', 'unidades', 'unidad', 'einheit'],
  collected_at: [
    ...['collected', 'collection_time', 'collection_date', 'date_collected', 'taken_at', 'taken_on', 'specimen_date'],
    ...['data_coleta', 'data_da_coleta', 'data_de_coleta', 'data_e_hora_da_coleta', 'coleta', 'coletado_em'],
    ...['fecha_toma', 'fecha_de_toma', 'fecha_de_la_toma', 'fecha_de_extraccion', 'fecha_extraccion', 'toma'],
    ...['date', 'data', 'fecha', 'datum', 'entnahmedatum', 'abnahmedatum'],
  ],
  ref_low: ['functional_low', 'reference_low', 'ref_min', 'valor_minimo', 'ref_minimo', 'minimo'],
  ref_high: ['functional_high', 'reference_high', 'ref_max', 'valor_maximo', 'ref_maximo', 'maximo'],
  population: ['populacao', 'poblacion'],
  method: ['source_method', 'metodo', 'methode'],
  equipment: ['source_equipment', 'equipamento', 'equipo', 'gerat'],
  firmware: ['source_firmware'],
  operator: ['source_operator', 'operador'],
};

/** Values that show what a column holds, whatever its name. */
const VALUE_FORMS: readonly (readonly [FileColumn, RegExp])[] = [
  ['patient', /^[a-z0-9-]+\.bsp$/i],
  ['biomarker', /^BSP-[A-Z]{2}-\d+$/i],
];
/** The rows whose values are looked at. */
const LOOKED_AT = 50;

/** The columns with a name that is known or values of a known form, each used once. */
export function mappingOf({ header, body }: Pick<ParsedCsv, 'header' | 'body'>): Mapping {
  const names = header.map(plain);
  const byName: Mapping = Object.fromEntries(
    FILE_COLUMNS.flatMap((column) => {
      const candidates = [column, ...(OTHER_NAMES[column] ?? [])].map((name) => names.indexOf(name));
      const position = candidates.find((index) => index >= 0);
      return position === undefined ? [] : [[column, position]];
    }),
  );
  const rows = body.slice(0, LOOKED_AT);
  return VALUE_FORMS.reduce((mapping, [column, form]) => {
    if (mapping[column] !== undefined) return mapping;
    const position = header.findIndex((_, index) => {
      const values = rows.map(({ texts }) => texts[index]?.trim() ?? '').filter((value) => value !== '');
      return columnAt(mapping, index) === null && values.length > 0 && values.every((value) => form.test(value));
    });
    return position < 0 ? mapping : withColumn(mapping, position, column);
  }, byName);
}

/** Uses a column of the file for another column, which is then taken from no other; null for none. */
export function withColumn(mapping: Mapping, position: number, column: FileColumn | null): Mapping {
  const others = Object.entries(mapping).filter(([, at]) => at !== position);
  return Object.fromEntries(column === null ? others : [...others, [column, position]]);
}

export const columnAt = (mapping: Mapping, position: number): FileColumn | null =>
  FILE_COLUMNS.find((column) => mapping[column] === position) ?? null;

export const missingIn = (mapping: Mapping): Column[] =>
  REQUIRED_COLUMNS.filter((column) => mapping[column] === undefined);

/** Whether every required column is assigned, and the person, unless all rows are about one. */
export const isComplete = (mapping: Mapping, isAboutOne: boolean): boolean =>
  missingIn(mapping).length === 0 && (isAboutOne || mapping.patient !== undefined);

const plain = (name: string): string =>
  folded(name)
    .trim()
    .replace(/[\s-]+/g, '_');
