import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digitsOf, parseFhirJson } from './fhir-json.ts';
import { readFhir } from './read-fhir.ts';

const LOINC = { coding: [{ system: 'http://loinc.org', code: '2093-3' }] };
const observation = {
  resourceType: 'Observation',
  status: 'final',
  code: LOINC,
  subject: { reference: 'Patient/1' },
  effectiveDateTime: '2026-11-14',
  valueQuantity: { value: 180, unit: 'mg/dL' },
};
const patient = { resourceType: 'Patient', id: '1', identifier: [{ value: 'LAB-1' }] };
const peopleIn = (...resources: object[]) => readFhir(JSON.stringify(resources)).rows.map(({ people }) => people);

test('a number keeps its digits', () => {
  const read = parseFhirJson('{"a":1.50,"b":1.5,"c":"1.50, \\"2.0\\"","d":[0.10,1E-7]}');
  expect(read).toEqual({ a: '\u00001.50', b: 1.5, c: '1.50, "2.0"', d: ['\u00000.10', '\u00001E-7'] });
  expect(['\u00001.50', 1.5, '\u00001E-7', '1.50', null].map(digitsOf)).toEqual(['1.50', '1.5', '1e-7', null, null]);
});

describe('the person of an Observation is named by', () => {
  test('the identifiers and the id of its Patient', () => {
    expect(peopleIn(observation, patient)).toEqual([['LAB-1', '1']]);
  });

  test('a Patient beside it on the server of a Bundle', () => {
    const entry = [
      { fullUrl: 'https://lab.example/fhir/Patient/1', resource: { ...patient, id: undefined } },
      { fullUrl: 'https://lab.example/fhir/Observation/2', resource: observation },
    ];
    const { rows } = readFhir(JSON.stringify({ resourceType: 'Bundle', type: 'searchset', entry }));
    expect(rows.map(({ people }) => people)).toEqual([['LAB-1', '1']]);
  });

  test('no Patient of a history, or to be deleted', () => {
    const other = { ...patient, identifier: [{ value: 'LAB-2' }] };
    const fullUrl = 'https://lab.example/fhir/Patient/1';
    const history = { resourceType: 'Bundle', type: 'history', entry: [{ fullUrl, resource: other }] };
    const entry = [{ fullUrl, request: { method: 'DELETE' }, resource: [other] }];
    expect(peopleIn(patient, observation, history)).toEqual([['LAB-1', '1']]);
    expect(peopleIn(patient, observation, { ...history, type: 'batch', entry })).toEqual([['LAB-1', '1']]);
    expect(peopleIn(observation, history)).toEqual([['1']]);
  });

  test('none of two Patients with one id, unless the server of its Bundle tells them apart', () => {
    const other = { ...patient, identifier: [{ value: 'LAB-2' }] };
    expect(peopleIn(patient, other, observation)).toEqual([[]]);
    expect(peopleIn(patient, patient, observation)).toEqual([['LAB-1', '1']]);
    const bundleOf = (server: string, resource: object) => ({
      ...{ resourceType: 'Bundle', type: 'searchset' },
      entry: [
        { fullUrl: `https://${server}/Patient/1`, resource },
        { fullUrl: `https://${server}/Observation/2`, resource: observation },
      ],
    });
    expect(peopleIn(bundleOf('a.example', patient), bundleOf('b.example', other))).toEqual([
      ['LAB-1', '1'],
      ['LAB-2', '1'],
    ]);
  });

  test('an identifier of the reference, without a Patient', () => {
    expect(peopleIn({ ...observation, subject: { identifier: { value: 'LAB-1' } } })).toEqual([['LAB-1']]);
    expect(peopleIn({ ...observation, subject: undefined })).toEqual([[]]);
  });
});

test('nothing is taken out of a damaged Bundle, alone or after another resource', () => {
  const line = JSON.stringify(observation);
  const history = `{\n"resourceType": "Bundle",\n"type": "history",\n"entry": [{"resource":\n${line}\n},\n`;
  const rules = history.replace('"type": "history"', '"type": "searchset",\n"implicitRules": "urn:rules"');
  for (const text of [history, rules, `${line}\n${history}`]) expect(() => readFhir(text)).toThrow(SyntaxError);
  const ofLines = readFhir(`${line}\n{"resourceType":\n${line}`).rows.map(({ isResource }) => isResource);
  expect(ofLines).toEqual([true, false, true]);
});

describe('a specimen beside a LOINC code of serum or plasma', () => {
  const SNOMED = 'http://snomed.info/sct';
  const read = (specimen: object, code: object = LOINC, ...others: object[]) =>
    readFhir(JSON.stringify([{ ...observation, code, specimen }, ...others])).rows.map(({ warnings }) =>
      warnings.map(({ kind, detail }) => `${kind} ${detail}`),
    );

  test.each([
    { display: 'Soro' },
    { display: 'Venous specimen' },
    { display: 'EDTA-Blut' },
    { display: 'Ser/Plas' },
    { display: 'Specimen 12-A' },
    { reference: 'Specimen/1' },
    { coding: [{ system: SNOMED, code: '119364003' }] },
  ])('is one, or not stated: %j', (specimen) => {
    expect(read(specimen)).toEqual([[]]);
  });

  test.each([
    [{ display: 'Urina de 24 h' }, 'Urina de 24 h'],
    [{ text: 'Saliva' }, 'Saliva'],
    [{ display: 'Plasma seminal' }, 'Plasma seminal'],
    [{ coding: [{ system: SNOMED, code: '122575003' }] }, '122575003'],
  ])('is another, which a person must look at: %j', (specimen, detail) => {
    expect(read(specimen)).toEqual([[`specimen ${detail}`]]);
  });

  test('is the resource that is referred to', () => {
    const type = { coding: [{ system: SNOMED, code: '122575003', display: 'Urine specimen' }] };
    const specimen = { resourceType: 'Specimen', id: '1', type };
    expect(read({ reference: 'Specimen/1' }, LOINC, specimen)).toEqual([['specimen Urine specimen']]);
    const contained = { ...observation, contained: [{ ...specimen, id: 's' }], specimen: { reference: '#s' } };
    expect(readFhir(JSON.stringify(contained)).rows[0]?.warnings).toHaveLength(1);
  });

  test('says nothing against a code of urine, or a local one', () => {
    const urine = { coding: [{ system: 'http://loinc.org', code: '2495-0' }] };
    expect([read({ display: 'Urine' }, urine), read({ display: 'Urine' }, { text: 'Iodine' })]).toEqual([[[]], [[]]]);
  });
});

test('every element of an Observation is read, reported, or listed', () => {
  const member = fc.constantFrom(
    ...[
      'status',
      'code',
      'subject',
      'effectiveDateTime',
      'effectivePeriod',
      'valueQuantity',
      'valueString',
      'component',
    ],
    ...[
      'referenceRange',
      'method',
      'device',
      'performer',
      'extension',
      'contained',
      'note',
      'dataAbsentReason',
      'valueRatio',
    ],
  );
  const quantity = fc.record({ value: fc.oneof(fc.double(), fc.string()), unit: fc.string(), code: fc.string() });
  const anything = fc.oneof(
    fc.jsonValue(),
    quantity,
    fc.array(fc.record({ code: fc.constant(LOINC), valueQuantity: quantity, low: quantity, text: fc.string() })),
  );
  fc.assert(
    fc.property(fc.dictionary(member, anything), fc.constantFrom('x', 'bodySite'), (members, name) => {
      const { rows } = readFhir(JSON.stringify({ ...observation, ...members, [name]: 1 }));
      expect(rows.length).toBeGreaterThan(0);
      expect(rows[0]?.leftOut).toHaveProperty([`Observation.${name}`]);
    }),
  );
});

test('any JSON is read without an error', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => void readFhir(JSON.stringify(value))));
});
