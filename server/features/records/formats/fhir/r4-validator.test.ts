import { expect, test } from 'vitest';
import type { Exported } from '../../../../../protocol/records/exported-record.ts';
import { fhirErrors } from '../../../../../protocol/records/fhir/test-fhir-errors.ts';
import { exportedRecord, HOSTILE } from '../../../../../protocol/records/test-exported-record.ts';
import { exportOf, GRANTED_TO_LAB } from '../test-export.ts';

const errorsOf = (records: readonly Exported[]): string[] =>
  fhirErrors(JSON.parse(exportOf('FHIR_R4', records, GRANTED_TO_LAB)));

test('records of every kind are valid FHIR R4', () => {
  const old = exportedRecord({ value: 12 }, { status: 'SUPERSEDED' });
  const source = { method: 'HPLC', equipment: 'Cobas', operator: 'J. Silva', firmware: '1.2' };
  const ref_range = { optimal_low: 12, functional: '11–17', unit: 'g/dL', population: 'adults' };
  const supersedes = old.record.record_id;
  const values = ['1.50', '<0.5', 'negative', 1e21, -1e-7, {}, { a: 1, b: 'x', c: true }, { a: [1] }];
  expect(
    errorsOf([
      exportedRecord({ source, ref_range, confidence: 0.9 }),
      exportedRecord({ ref_range: { critical_low: 5, critical_high: 20 } }, { client_record_id: 'LAB-7' }),
      exportedRecord({ value: 12.4, supersedes }, {}, { supersedes_exported: true }),
      old,
      exportedRecord({ value: 12.5, supersedes }),
      ...values.map((value) => exportedRecord({ value })),
      exportedRecord({ biomarker: 'BSP-DV-005', value: { systolic: 120, diastolic: 80 }, unit: 'mmHg' }),
    ]),
  ).toEqual([]);
});

test('a Bundle with hostile texts is valid', () => {
  const records = HOSTILE.flatMap((text) => [
    exportedRecord({ value: text, unit: text, source: { method: text, equipment: text, operator: text } }),
    exportedRecord({ value: { [text]: text }, ref_range: { optimal: text, unit: text, population: text } }),
  ]);
  expect(errorsOf(records)).toEqual([]);
});

test('both validators report an invalid Bundle', () => {
  const document = JSON.parse(exportOf('FHIR_R4', [exportedRecord({ value: 12 })], GRANTED_TO_LAB));
  const observation = document.entry.find(({ resource }: { resource: { resourceType: string } }) => {
    return resource.resourceType === 'Observation';
  }).resource;
  observation.status = 'measured';
  observation.measured = true;
  const errors = fhirErrors(document);
  expect(errors.some((error) => error.includes('measured'))).toBe(true);
  expect(errors.some((error) => error.includes('should match exactly one schema'))).toBe(true);
});
