import { folded } from '../../../../protocol/folded-text.ts';
import { type Column, FILE_COLUMNS, type FileColumn, REQUIRED_COLUMNS } from './file-columns.ts';
import { areComparators } from './not-final.ts';
import type { ParsedCsv } from './read-csv.ts';

/** The position in the file's header of each column that is used. */
export type Mapping = Readonly<Partial<Record<FileColumn, number>>>;

/** Headers of spreadsheets and laboratory systems, besides the names of the columns themselves. */
const OTHER_NAMES: Readonly<Partial<Record<FileColumn, readonly string[]>>> = {
  patient: [
    ...['patient_id', 'patient_name', 'patient_reference', 'person', 'subject', 'mrn', 'medical_record_number'],
    ...['beo_domain', 'domain', 'beo_id', 'consent_token', 'token_id'],
    ...[
      'paciente',
      'nome_do_paciente',
      'nome_paciente',
      'codigo_do_paciente',
      'id_do_paciente',
      'id_paciente',
      'pessoa',
    ],
    ...['prontuario', 'no_prontuario', 'nombre_del_paciente', 'nombre_paciente', 'codigo_paciente', 'persona'],
    ...['historia_clinica', 'no_historia', 'expediente', 'no_expediente', 'patienten_id', 'patient_nr'],
  ],
  biomarker: [
    ...['biomarker_code', 'code', 'test_code', 'loinc', 'loinc_code', 'test', 'test_name', 'analyte', 'analyte_name'],
    ...['exam', 'component', 'component_name', 'parameter', 'observation', 'lab_test'],
    ...[
      'biomarcador',
      'codigo',
      'codigo_do_exame',
      'codigo_exame',
      'cod_exame',
      'exame',
      'nome_do_exame',
      'nome_exame',
    ],
    ...[
      'analito',
      'parametro',
      'mnemonico',
      'codigo_examen',
      'codigo_del_examen',
      'codigo_prueba',
      'codigo_de_la_prueba',
    ],
    ...['examen', 'nombre_del_examen', 'prueba', 'nombre_de_la_prueba', 'determinacion', 'estudio'],
    ...['analyt', 'untersuchung', 'parameter_name'],
  ],
  value: [
    ...['result', 'results', 'test_result', 'result_value', 'lab_result', 'numeric_result', 'measurement', 'reading'],
    ...['valor', 'resultado', 'resultados', 'resultado_do_exame', 'resultado_exame', 'valor_do_resultado'],
    ...['valor_encontrado', 'valor_obtido', 'resultado_del_examen', 'resultado_de_la_prueba', 'valor_del_resultado'],
    ...['valor_obtenido', 'valor_hallado', 'wert', 'ergebnis', 'messwert'],
  ],
  unit: [
    ...['units', 'uom', 'unit_of_measure', 'unit_of_measurement', 'result_unit', 'result_units'],
    ...['unidade', 'unidades', 'unidade_de_medida', 'un', 'und', 'unid', 'unidad', 'unidad_de_medida', 'einheit'],
  ],
  collected_at: [
    ...['collected', 'collected_on', 'collection', 'collection_time', 'collection_date', 'collection_date_time'],
    ...[
      'collection_datetime',
      'date_collected',
      'date_of_collection',
      'sample_date',
      'sampling_date',
      'taken_at',
      'taken_on',
    ],
    ...['specimen_date', 'specimen_collected', 'specimen_collection_date', 'draw_date', 'drawn', 'effective_date'],
    ...['data_coleta', 'data_da_coleta', 'data_de_coleta', 'data_hora_coleta', 'data_hora_da_coleta', 'dt_coleta'],
    ...['data_e_hora_da_coleta', 'data_e_hora_de_coleta', 'coleta', 'coletado_em', 'data_da_colheita', 'data_do_exame'],
    ...['fecha_toma', 'fecha_de_toma', 'fecha_de_la_toma', 'fecha_y_hora_de_toma', 'fecha_hora_toma', 'toma'],
    ...[
      'fecha_toma_de_muestra',
      'fecha_de_toma_de_muestra',
      'fecha_muestra',
      'fecha_de_muestra',
      'fecha_de_la_muestra',
    ],
    ...['fecha_de_extraccion', 'fecha_extraccion', 'extraccion', 'fecha_de_recoleccion', 'fecha_recoleccion'],
    ...['fecha_de_recogida', 'fecha_del_examen', 'date', 'data', 'fecha', 'datum', 'entnahmedatum', 'abnahmedatum'],
  ],
  ref_low: [
    ...[
      'functional_low',
      'reference_low',
      'ref_min',
      'reference_range_low',
      'ref_range_low',
      'range_low',
      'lower_limit',
    ],
    ...['low', 'low_limit', 'min', 'lln', 'valor_minimo', 'ref_minimo', 'minimo', 'minima', 'limite_inferior'],
    ...['referencia_minima', 'referencia_min', 'valor_de_referencia_minimo', 'valor_de_referencia_min'],
    ...[
      'valor_de_referencia_inferior',
      'vr_minimo',
      'vr_min',
      'v_r_min',
      'referencia_inferior',
      'rango_minimo',
      'rango_inferior',
    ],
    ...['untergrenze', 'normbereich_von'],
  ],
  ref_high: [
    ...['functional_high', 'reference_high', 'ref_max', 'reference_range_high', 'ref_range_high', 'range_high'],
    ...['upper_limit', 'high', 'high_limit', 'max', 'uln', 'valor_maximo', 'ref_maximo', 'maximo', 'maxima'],
    ...[
      'limite_superior',
      'referencia_maxima',
      'referencia_max',
      'valor_de_referencia_maximo',
      'valor_de_referencia_max',
    ],
    ...[
      'valor_de_referencia_superior',
      'vr_maximo',
      'vr_max',
      'v_r_max',
      'referencia_superior',
      'rango_maximo',
      'rango_superior',
    ],
    ...['obergrenze', 'normbereich_bis'],
  ],
  ref_range: [
    ...[
      'reference_range',
      'reference_interval',
      'reference_values',
      'normal_range',
      'normal_values',
      'range',
      'reference',
    ],
    ...[
      'valor_de_referencia',
      'valores_de_referencia',
      'valor_referencia',
      'valores_referencia',
      'vr',
      'v_r',
      'referencia',
    ],
    ...[
      'faixa_de_referencia',
      'faixa_referencia',
      'intervalo_de_referencia',
      'intervalo_referencia',
      'rango_referencia',
    ],
    ...['rango_de_referencia', 'rangos_de_referencia', 'rango', 'rango_normal', 'valores_normales', 'valores_normais'],
    ...[
      'referenzbereich',
      'referenzbereiche',
      'referenzwert',
      'referenzwerte',
      'referenz',
      'normbereich',
      'normalbereich',
    ],
    ...['normwert', 'normwerte', 'normalwert', 'normalwerte'],
  ],
  confidence: ['confianca', 'confianza'],
  population: ['populacao', 'poblacion', 'reference_population', 'populacao_de_referencia', 'poblacion_de_referencia'],
  method: ['source_method', 'metodo', 'metodologia', 'tecnica', 'methode', 'method_name'],
  equipment: ['source_equipment', 'equipamento', 'equipo', 'analyzer', 'analyser', 'analisador', 'analizador', 'gerat'],
  firmware: ['source_firmware'],
  operator: ['source_operator', 'operador', 'performed_by', 'realizado_por'],
  supersedes: ['replaces', 'substitui', 'sustituye', 'corrige'],
  comparator: [
    ...['comparison_operator', 'result_operator', 'result_comparator', 'value_comparator', 'result_prefix'],
    ...['comparador', 'sinal_do_resultado', 'signo', 'signo_del_resultado', 'vorzeichen', 'vergleichsoperator'],
  ],
};

/** Values that show what a column holds, whatever its name. */
const VALUE_FORMS: readonly (readonly [FileColumn, RegExp])[] = [
  ['patient', /^[a-z0-9-]+\.bsp$/i],
  ['biomarker', /^BSP-[A-Z]{2}-\d+$/i],
];
/** The rows whose values are looked at. */
const LOOKED_AT = 50;

/**
 * The columns with a name that is known or values of a known form, each used once. None of several with the same heading, and none
 * of two that may hold the value.
 */
export function mappingOf({ header, body }: Pick<ParsedCsv, 'header' | 'body'>): Mapping {
  const names = header.map(plain);
  const byName: Mapping = Object.fromEntries(
    FILE_COLUMNS.flatMap((column) => {
      const candidates = [column, ...(OTHER_NAMES[column] ?? [])].map((name) => names.indexOf(name));
      const found = candidates.filter((index) => index >= 0);
      const [position] = found;
      if (position === undefined) return [];
      // The second of the same heading may be the one that is meant, and the first the result of last year.
      const isRepeated = names.includes(names[position] ?? '', position + 1);
      // A column “Valor” beside “Resultado” may be the price.
      const isUnclear = column === 'value' && found.length > 1 && candidates[0] !== position;
      return isRepeated || isUnclear ? [] : [[column, position]];
    }),
  );
  const rows = body.slice(0, LOOKED_AT);
  const { operator } = byName;
  // The heading “Operator” has both meanings.
  const isCompared = operator !== undefined && areComparators(body.map(({ texts }) => texts[operator]?.trim() ?? ''));
  const named = isCompared ? withColumn(byName, operator, 'comparator') : byName;
  return VALUE_FORMS.reduce((mapping, [column, form]) => {
    if (mapping[column] !== undefined) return mapping;
    const position = header.findIndex((_, index) => {
      const values = rows.map(({ texts }) => texts[index]?.trim() ?? '').filter((value) => value !== '');
      return columnAt(mapping, index) === null && values.length > 0 && values.every((value) => form.test(value));
    });
    return position < 0 ? mapping : withColumn(mapping, position, column);
  }, named);
}

/** Whether cells are the headings of a table of results, by their names alone. */
export function isHeading(cells: readonly string[]): boolean {
  const { biomarker, value, collected_at } = mappingOf({ header: cells, body: [] });
  return biomarker !== undefined && value !== undefined && collected_at !== undefined;
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

/** Folded, with one underscore for whatever stands between words. A percentage is not the result beside it. */
const plain = (name: string): string =>
  folded(name)
    .replace(/[^\p{L}\p{N}%]+/gu, '_')
    .replace(/^_|_$/g, '');
