import { expect, test } from 'vitest';
import { uuidV5 } from '../../../ids.ts';
import type { Exported } from '../../exported-record.ts';
import { EXPORTED_AT, exportedRecord, HOLDER, HOSTILE, LAB } from '../../test-exported-record.ts';
import { fhirErrors } from '../test-fhir-errors.ts';
import { shareBundle } from './share-bundle.ts';
import type { SummaryWords } from './summary.ts';

const WORDS: SummaryWords = {
  language: 'pt-BR',
  title: 'Resumo de saúde',
  results: 'Resultados',
  vitalSigns: 'Sinais vitais',
  problems: 'Problemas',
  allergies: 'Alergias',
  medications: 'Medicamentos',
  nothing: 'Não há informação <aqui>.',
  names: { 'BSP-HM-002': 'Hemoglobina' },
  days: { '2026-10-01T07:30:00.000Z': '1 de out. de 2026' },
};

interface Resource {
  readonly resourceType: string;
  readonly id: string;
  readonly [member: string]: unknown;
}

function bundleOf(records: readonly Exported[], words: SummaryWords | null = null) {
  const shared = { id: uuidV5('test:share'), at: EXPORTED_AT, holder: HOLDER, records };
  const bundle: { type: string; entry: { fullUrl: string; resource: Resource }[] } = JSON.parse(
    shareBundle(shared, words),
  );
  expect(fhirErrors(bundle)).toEqual([]);
  return { ...bundle, resources: bundle.entry.map(({ resource }) => resource) };
}

const HOSPITAL = { ...LAB, ieo_id: uuidV5('test:hospital'), domain: 'einstein.bsp' };
const RECORDS = [
  exportedRecord({ value: '13.50' }),
  exportedRecord({ value: 12, supersedes: uuidV5('test:replaced') }, {}, { institution: HOSPITAL }),
  exportedRecord({ biomarker: 'BSP-DV-005', value: { systolic: 120, diastolic: 80 }, unit: 'mmHg' }),
];

test('shared records are a collection with their institutions and proofs, and no consent', () => {
  const { type, entry, resources } = bundleOf(RECORDS);
  expect(type).toBe('collection');
  const [record, other] = ['Observation', 'Provenance'].map((name) => Array.from(RECORDS, () => name));
  expect(resources.map(({ resourceType }) => resourceType)).toEqual([
    ...['Patient', 'Organization', 'Organization'],
    ...(record ?? []),
    ...(other ?? []),
  ]);
  expect(resources[0]).not.toHaveProperty('name');
  const urls = entry.map(({ fullUrl }) => fullUrl);
  // The replaced record is not in it, so it is named by its identifier only.
  const references = JSON.stringify(resources).matchAll(/"reference":"(urn:uuid:[^"]+)"/g);
  for (const [, target] of references) expect(urls).toContain(target);
  expect(JSON.stringify(resources)).toContain(`urn:uuid:${uuidV5('test:replaced')}`);
});

test('digits that a number loses stay in a share', () => {
  const shared = { id: uuidV5('test:share'), at: EXPORTED_AT, holder: HOLDER, records: RECORDS };
  expect(shareBundle(shared, null)).toContain('"value":13.50,');
});

test('a summary is a document whose sections say what is in them, and what nothing is known about', () => {
  const { type, resources } = bundleOf(RECORDS, WORDS);
  const [composition, patient] = resources;
  expect([type, composition?.resourceType, patient?.resourceType]).toEqual(['document', 'Composition', 'Patient']);
  expect(patient?.name).toEqual([{ use: 'anonymous', text: 'ana.bsp' }]);
  const [hemoglobin, corrected, pressure] = RECORDS.map(({ record }) => [
    { reference: `urn:uuid:${record.record_id}`, type: 'Observation' },
  ]);
  const unavailable = { coding: [{ code: 'unavailable' }] };
  expect(composition).toMatchObject({
    status: 'final',
    language: 'pt-BR',
    title: 'Resumo de saúde',
    type: { coding: [{ system: 'http://loinc.org', code: '60591-5' }] },
    section: [
      { title: 'Resultados', code: { coding: [{ code: '30954-2' }] }, entry: [hemoglobin, corrected].flat() },
      { title: 'Sinais vitais', code: { coding: [{ code: '8716-3' }] }, entry: pressure },
      { title: 'Problemas', code: { coding: [{ code: '11450-4' }] }, emptyReason: unavailable },
      { title: 'Alergias', code: { coding: [{ code: '48765-2' }] }, emptyReason: unavailable },
      { title: 'Medicamentos', code: { coding: [{ code: '10160-0' }] }, emptyReason: unavailable },
    ],
  });
  const text = JSON.stringify(composition);
  expect(text).toContain('<li>Hemoglobina: 13.50 g/dL, 1 de out. de 2026</li>');
  expect(text).toContain('Não há informação &lt;aqui&gt;.');
  const sections = composition?.section as { entry?: unknown; emptyReason?: unknown }[];
  for (const { entry, emptyReason } of sections) expect([entry, emptyReason].filter(Boolean)).toHaveLength(1);
});

test('hostile texts make no share invalid', () => {
  const records = HOSTILE.flatMap((text) => [
    exportedRecord({ value: text, unit: text, source: { method: text, equipment: text } }),
    exportedRecord({ value: { [text]: text } }),
  ]);
  bundleOf(records);
  bundleOf(records, { ...WORDS, title: HOSTILE[0] ?? '' });
});
