import { expect, test } from 'vitest';
import { columnAt, isComplete, mappingOf, missingIn, withColumn } from './map-columns.ts';

const file = (header: string[], ...rows: string[][]) => ({
  header,
  body: rows.map((texts, index) => ({ row: index + 2, texts })),
});

test('recognises people and codes by the values, in columns with other names', () => {
  const header = ['who', 'what', 'value'];
  expect(mappingOf(file(header, ['ada.bsp', 'BSP-GL-001', '5'], ['', 'bsp-hr-001', '6']))).toEqual({
    patient: 0,
    biomarker: 1,
    value: 2,
  });
  expect(mappingOf(file(header, ['ada.bsp', 'BSP-GL-001', '5'], ['Ada', 'glucose', '6']))).toEqual({ value: 2 });
});

test('recognises columns by their names and usual other names, in any spelling', () => {
  expect(mappingOf(file([' Biomarker ', 'RESULT', 'Unidade', 'Collected At', 'Código', 'notes']))).toEqual({
    biomarker: 0,
    value: 1,
    unit: 2,
    collected_at: 3,
  });
  expect(mappingOf(file(['domain', 'patient']))).toEqual({ patient: 1 });
});

test('uses a column of the file once, and takes it from no other', () => {
  const mapping = mappingOf(file(['biomarker', 'x', 'y']));
  const assigned = withColumn(withColumn(mapping, 1, 'value'), 2, 'value');
  expect(assigned).toEqual({ biomarker: 0, value: 2 });
  expect(columnAt(assigned, 1)).toBeNull();
  expect(withColumn(assigned, 0, null)).toEqual({ value: 2 });
  expect(withColumn(assigned, 0, 'unit')).toEqual({ value: 2, unit: 0 });
});

test('is complete with every required column, and the person unless all rows are about one', () => {
  const mapping = mappingOf(file(['biomarker', 'value', 'unit', 'collected_at']));
  expect([isComplete(mapping, true), isComplete(mapping, false)]).toEqual([true, false]);
  expect(missingIn({ value: 0 })).toEqual(['biomarker', 'unit', 'collected_at']);
});

test.each([
  ['Paciente', 'Código do exame', 'Resultado', 'Unidade', 'Data da coleta', 'Valor de referência (mín.)', 'V.R. máx.'],
  ['Prontuário', 'Exame', 'Valor obtido', 'Un.', 'Data/Hora Coleta', 'Limite inferior', 'Limite superior'],
  ['Expediente', 'Estudio', 'Resultado', 'Unidades', 'Fecha de toma de muestra', 'Mínimo', 'Máximo'],
  ['Historia clínica', 'Prueba', 'Valor hallado', 'Unidad', 'Fecha de extracción', 'Rango mínimo', 'Rango máximo'],
  [
    'MRN',
    'Test Name',
    'Result Value',
    'UOM',
    'Collection Date/Time',
    'Reference Range - Low',
    'Reference Range - High',
  ],
  ['Patient ID', 'LOINC Code', 'Result', 'Units', 'Specimen Collection Date', 'Low', 'High'],
])('recognises the headings of laboratories: %s, %s, %s, %s, %s, %s, %s', (...header) => {
  const columns = ['patient', 'biomarker', 'value', 'unit', 'collected_at', 'ref_low', 'ref_high'];
  expect(mappingOf(file(header))).toEqual(Object.fromEntries(columns.map((column, index) => [column, index])));
});

test.each([
  'Reference Range',
  'Ref. Range',
  'Reference interval',
  'Valores de referência',
  'V.R.',
  'Faixa de referência',
  'Valores de referencia',
  'Rango de referencia',
  'Rango',
  'Referenzbereich',
  'Normalwerte',
  'ref_range',
])('recognises %s as both limits of the range', (heading) => {
  expect(mappingOf(file([heading]))).toEqual({ ref_range: 0 });
});

test('a heading that is recognised is one of a single column, and neither of two that may be the value is used', () => {
  const header = ['Data da coleta', 'Data', 'Exame', 'Código', 'Resultado'];
  expect(mappingOf(file(header))).toEqual({ biomarker: 3, value: 4, collected_at: 0 });
  expect(mappingOf(file([...header, 'Valor']))).toEqual({ biomarker: 3, collected_at: 0 });
  expect(mappingOf(file([...header, 'value']))).toMatchObject({ value: 5 });
});

test('no column is used whose heading another one has too, such as the result before', () => {
  const header = ['Código', 'Resultado', 'Resultado', 'Un.', 'Unidade', 'Data', 'DATA'];
  expect(mappingOf(file(header))).toEqual({ biomarker: 0, unit: 4 });
  expect(mappingOf(file(['value', 'Value']))).toEqual({});
  expect(mappingOf(file([...header, 'value']))).toMatchObject({ value: 7 });
});
