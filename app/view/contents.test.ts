import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { uuidV5 } from '../../protocol/ids.ts';
import type { Exported } from '../../protocol/records/exported-record.ts';
import { DOMAIN_IDENTIFIER } from '../../protocol/records/fhir/systems.ts';
import { shareBundle } from '../../protocol/records/fhir/write/share-bundle.ts';
import { commitmentOf } from '../../protocol/records/submitted.ts';
import {
  EXPORTED_AT,
  exportedRecord,
  HOLDER,
  HOSTILE,
  LAB,
  type Submitted,
} from '../../protocol/records/test-exported-record.ts';
import { hexToBytes } from '../../protocol/signing/encoding.ts';
import { readContents } from './contents.ts';

const FHIR = 'application/fhir+json';
const SUBJECT = { id: HOLDER.beo_id, name: null, domain: HOLDER.beo_domain, birthDate: null };
const bundleOf = (records: readonly Exported[]): string =>
  shareBundle({ id: uuidV5('test:share'), at: EXPORTED_AT, holder: HOLDER, records }, null);
const contentsOf = (content: string, contentType: typeof FHIR | 'application/smart-health-card' = FHIR) =>
  readContents([{ contentType, content }]);
const ofRecords = (...records: readonly Submitted[]) =>
  contentsOf(bundleOf(records.map((record) => exportedRecord(record))));

/** A Bundle of one record, changed. */
async function changed(change: (resource: Record<string, unknown>, type: string) => void) {
  const bundle = JSON.parse(bundleOf([exportedRecord({ ref_range: { functional_low: 12, functional_high: 17.5 } })]));
  for (const { resource } of bundle.entry) change(resource, resource.resourceType);
  const { records } = await contentsOf(JSON.stringify(bundle));
  return records.map(({ doubt, record: { value, status } }) => ({ doubt, value, status }));
}

test('a share of ours shows each record as it was submitted, with its proof', async () => {
  const sent = {
    value: '13.50',
    ref_range: { functional_low: 12 },
    source: { method: 'A' },
    collected_at: '2026-10-01',
  };
  const { records, subjects, others, notes } = await ofRecords(sent);
  expect(records).toMatchObject([
    {
      record: { ...sent, unit: 'g/dL', biomarker: 'BSP-HM-002', category: 'BSP-HM', status: 'ACTIVE', record_id: '0' },
      proof: { entryId: 'A'.repeat(43), index: 0, institutionId: LAB.ieo_id },
      subject: SUBJECT,
      doubt: null,
      problems: [],
    },
  ]);
  expect([subjects, others, notes]).toEqual([[SUBJECT], [], [{ kind: 'fhir', problem: null, issuer: null }]]);
});

test('a summary of ours is read as the records alone: its sections are about them', async () => {
  const shared = { id: uuidV5('test:share'), at: EXPORTED_AT, holder: HOLDER, records: [exportedRecord()] };
  const sections = { results: 'R', vitalSigns: 'V', problems: 'P', allergies: 'A', medications: 'M' };
  const words = { ...sections, language: 'en', title: 'Summary', nothing: 'Nothing', names: {}, days: {} };
  const summary = shareBundle(shared, words);
  const { records, others, subjects, damaged } = await contentsOf(summary);
  expect(records.map(({ doubt, proof }) => [doubt, proof !== null])).toEqual([[null, true]]);
  expect([others, damaged, subjects]).toEqual([[], 0, [SUBJECT]]);
});

test('no record of ours is said to contradict its proof, whatever it says', async () => {
  const text = fc.oneof(fc.string({ unit: 'binary', minLength: 1 }), fc.constantFrom(...HOSTILE));
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value));
  const part = fc.oneof(number, text, fc.boolean());
  // FHIR cannot tell names apart that differ in control characters only.
  const name = fc.constantFrom('a', 'B 1', '<b>', "it's", 'ß', 'systolic', 'diastolic', '__proto__');
  const record = fc.record({
    biomarker: fc.constantFrom('BSP-HM-002', 'BSP-DV-005', 'BSP-LA-001', 'BSP-GN-001'),
    value: fc.oneof(
      text,
      number,
      fc.dictionary(name, part, { minKeys: 1, maxKeys: 3 }),
      fc.constant({ a: { b: [1] } }),
    ),
    unit: fc.oneof(
      text.filter((unit) => unit.trim() !== ''),
      fc.constantFrom('mg/dL', 'mmHg'),
    ),
    collected_at: fc.constantFrom('2026-11-20', '2026-11-20T08:30-03:00', '2026-11-20T08:30:00.123456Z'),
  });
  await fc.assert(
    fc.asyncProperty(record, async (sent) => {
      const { records } = await ofRecords(sent);
      expect(records.map(({ doubt, record: { value } }) => [doubt, value])).toEqual([[null, sent.value]]);
    }),
    { numRuns: 150 },
  );
});

test('a changed Observation, or a changed record in its proof, is found without the ledger', async () => {
  const set = (type: string, members: object) =>
    changed((resource, own) => own === type && Object.assign(resource, members));
  const quantity = { value: 9.5, unit: 'g/dL' };
  expect(await changed(() => undefined)).toMatchObject([{ doubt: null, value: 13.5 }]);
  expect(await set('Observation', { valueQuantity: quantity })).toMatchObject([{ doubt: 'content', value: '9.5' }]);
  for (const members of [
    { effectiveDateTime: '2026-10-02T07:30:00.000Z' },
    { code: { coding: [{ system: 'urn:perpetua:fhir:code-system:biomarker', code: 'BSP-HM-001' }] } },
    { valueQuantity: { value: 13.5, unit: 'g/L' } },
    { valueQuantity: { value: 13.5, unit: 'g/dL', comparator: '<' } },
    { component: [{ code: { text: 'more' }, valueQuantity: quantity }] },
  ]) {
    const [found] = await set('Observation', members);
    expect(found?.doubt, JSON.stringify(members)).toBe('content');
  }
  for (const status of ['entered-in-error', 'cancelled', 'preliminary', undefined])
    expect(await set('Observation', { status })).toEqual([{ doubt: 'status', value: 13.5, status: 'ACTIVE' }]);
  expect(await set('Observation', { status: 'corrected' })).toMatchObject([{ doubt: null }]);
  const forged = Buffer.from('{"biomarker":"BSP-HM-002","value":9.5}').toString('base64');
  const contained = [{ resourceType: 'Binary', id: 'submitted', contentType: 'application/json', data: forged }];
  expect(await set('Provenance', { contained })).toMatchObject([{ doubt: 'commitment' }]);
  expect(await set('Provenance', { extension: [] })).toMatchObject([{ doubt: null }]);
});

test('a proof whose record has no canonical JSON, or is nested too deeply, contradicts its Observation', async () => {
  const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
  for (const value of ['{"a":1e999}', '"\\ud800"', nested(32), nested(100_000)]) {
    const submitted = Buffer.from(
      `{"biomarker":"BSP-HM-002","collected_at":"2026-10-01T07:30:00.000Z","unit":"g/dL","value":${value}}`,
    );
    const found = await changed((resource, type) => {
      if (type === 'Observation') Object.assign(resource, { valueQuantity: undefined, valueString: 'high' });
      if (type !== 'Provenance') return;
      const [{ extension = [] } = {}] = resource.extension as { extension?: { url: string; valueString?: string }[] }[];
      const [commitment, salt] = ['commitment', 'salt'].map((name) => extension.find(({ url }) => url === name));
      if (commitment) commitment.valueString = commitmentOf(hexToBytes(salt?.valueString ?? ''), submitted);
      Object.assign(resource, {
        contained: [{ resourceType: 'Binary', id: 'submitted', data: submitted.toString('base64') }],
      });
    });
    expect(found).toMatchObject([{ doubt: 'content', value: 'high' }]);
  }
});

test('the person of a result is the one Patient that it refers to', async () => {
  const patient = { resourceType: 'Patient', identifier: [{ system: DOMAIN_IDENTIFIER, value: 'bob.bsp' }] };
  const of = (id: string) => ({ fullUrl: `urn:uuid:${id}`, resource: patient });
  type Entry = { readonly fullUrl: string; readonly resource: { readonly resourceType: string } };
  const read = async (change: (entry: Entry) => readonly object[]) => {
    const bundle = JSON.parse(bundleOf([exportedRecord()]));
    const { records, subjects } = await contentsOf(JSON.stringify({ ...bundle, entry: bundle.entry.flatMap(change) }));
    return [records.map(({ subject }) => subject), subjects];
  };
  const withPatient = (change: (entry: Entry) => readonly object[]) =>
    read((entry) => (entry.resource.resourceType === 'Patient' ? change(entry) : [entry]));
  expect(await read((entry) => [entry])).toEqual([[SUBJECT], [SUBJECT]]);
  const elsewhere = { ...SUBJECT, id: BEHIND, domain: 'bob.bsp' };
  // Another resource with a domain, at the address that the result refers to.
  const organization = { ...patient, resourceType: 'Organization' };
  expect(await withPatient(({ fullUrl }) => [of(BEHIND), { fullUrl, resource: organization }])).toEqual([
    [null],
    [elsewhere],
  ]);
  // Two people at that address.
  const both = { ...SUBJECT, domain: 'bob.bsp' };
  expect(await withPatient((entry) => [entry, of(HOLDER.beo_id)])).toEqual([[null], [SUBJECT, both]]);
  expect(await withPatient(() => [])).toEqual([[null], []]);
  // Without identifiers, two names are two people.
  const named = (text: string) => ({ resourceType: 'Patient', id: '1', name: [{ text }] });
  const result = { resourceType: 'Observation', subject: { reference: 'Patient/1' } };
  const { records } = await contentsOf(JSON.stringify([named('Ana'), named('Bob'), result]));
  expect(records.map(({ subject }) => subject)).toEqual([null]);
});

test('a result of others keeps its warnings, its flags and its notes, and a code that may be for something else names nothing', async () => {
  const glucose = {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '1558-6', display: 'Glucose' }] },
    specimen: { display: 'Urine' },
    valueQuantity: { value: 90, unit: 'mg/dL' },
    referenceRange: [{ low: { value: 70, unit: 'mg/dL' }, high: { value: 99, unit: 'mg/dL' } }],
    interpretation: [{ coding: [{ code: 'N' }] }, { coding: [{ code: 'HH', display: 'Critical high' }] }],
    note: [{ text: 'Haemolysed, do not use' }],
  };
  const { records } = await contentsOf(JSON.stringify([glucose, { ...glucose, specimen: { display: 'Serum' } }]));
  expect(records).toMatchObject([
    {
      name: 'Glucose',
      record: { biomarker: '', category: '' },
      warnings: [{ kind: 'specimen', detail: 'Urine' }],
      stated: ['Critical high', 'Haemolysed, do not use'],
    },
    { record: { biomarker: 'BSP-GL-001' }, warnings: [] },
  ]);
});

test('one proof counts for one record', async () => {
  const bundle = JSON.parse(bundleOf([exportedRecord()]));
  const again = bundle.entry
    .filter(({ resource }: { resource: { resourceType: string } }) => /Obs|Prov/.test(resource.resourceType))
    .map((entry: object) => JSON.parse(JSON.stringify(entry).replaceAll(exportedRecord().record.record_id, BEHIND)));
  const { records } = await contentsOf(JSON.stringify({ ...bundle, entry: [...bundle.entry, ...again] }));
  expect(records.map(({ doubt }) => doubt)).toEqual([null, 'twice']);
});
const BEHIND = '00000000-0000-4000-8000-000000000000';

test('files of others are read leniently: single resources, codes of theirs, other entries, what is damaged', async () => {
  const observation = {
    resourceType: 'Observation',
    status: 'preliminary',
    code: { coding: [{ system: 'http://x.example', code: 'K', display: 'Potassium' }] },
    performer: [{ reference: 'Organization/1', display: '<b>Lab</b>' }],
    valueQuantity: { value: 4.1, unit: 'mmol/L' },
    effectiveDateTime: '2026-10',
  };
  const single = await contentsOf(JSON.stringify(observation));
  expect(single.records).toMatchObject([
    {
      name: 'Potassium',
      problems: ['status'],
      proof: null,
      record: {
        biomarker: 'K',
        category: '',
        value: '4.1',
        collected_at: '2026-10',
        source: { ieo_domain: '<b>Lab</b>' },
      },
    },
  ]);
  const person = { resourceType: 'Patient', name: [{ given: ['Ana', 'M.'], family: 'Lima' }], birthDate: '1980-02' };
  const condition = { resourceType: 'Condition' };
  const entry = [person, observation, condition, condition, { resourceType: 'Immunization' }, null].map((resource) => ({
    resource,
  }));
  const { subjects, others, damaged } = await contentsOf(JSON.stringify({ resourceType: 'Bundle', entry }));
  expect({ subjects, others, damaged }).toEqual({
    subjects: [{ id: null, name: 'Ana M. Lima', domain: null, birthDate: '1980-02' }],
    others: [
      ['Condition', 2],
      ['Immunization', 1],
    ],
    damaged: 1,
  });
});

test('the results of a SMART Health Card are shown, and what cannot be read or is too large is named', async () => {
  const bundle = {
    resourceType: 'Bundle',
    entry: [{ resource: { resourceType: 'Observation', code: { text: 'PCR' }, valueString: 'negative' } }],
  };
  const payload = { iss: 'https://issuer.example', vc: { credentialSubject: { fhirBundle: bundle } } };
  const encoded = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
  const card = [encoded('{"zip":"DEF"}'), encoded(deflateRawSync(JSON.stringify(payload))), 'x'].join('.');
  const read = await contentsOf(JSON.stringify({ verifiableCredential: [card] }), 'application/smart-health-card');
  expect(read.notes).toEqual([{ kind: 'card', problem: null, issuer: 'https://issuer.example' }]);
  expect(read.records).toMatchObject([{ name: 'PCR', record: { value: 'negative' } }]);
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const bomb = [encoded('{"zip":"DEF"}'), encoded(deflateRawSync(Buffer.alloc(5 * 2 ** 20))), 'x'].join('.');
  for (const [content, contentType, problem] of [
    ['no JSON', FHIR, 'unreadable'],
    [deep, FHIR, 'unreadable'],
    ['{}', 'application/smart-health-card', 'unreadable'],
    [JSON.stringify({ verifiableCredential: [bomb] }), 'application/smart-health-card', 'unreadable'],
    [' '.repeat(20_000_001), FHIR, 'tooLarge'],
  ] as const)
    expect((await contentsOf(content, contentType)).notes).toMatchObject([{ problem }]);
  expect((await readContents([{ contentType: 'application/smart-api-access', content: '{}' }])).notes).toMatchObject([
    { kind: 'api', problem: null },
  ]);
});
