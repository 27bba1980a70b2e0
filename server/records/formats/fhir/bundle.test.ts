import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exported, ExportFacts } from '../exported.ts';
import {
  BEO_ID,
  commitmentOf,
  exportedRecord,
  exportOf,
  FACTS,
  GRANTED_TO_LAB,
  HOSTILE,
  LAB,
  type Submitted,
} from '../test-exported.ts';
import { type Bundle, bundle, type Observation, REFERENCE_TARGETS, type Resource } from './test-r4.ts';

function read(records: readonly Exported[], facts: ExportFacts = FACTS): Bundle {
  const parsed = bundle.safeParse(JSON.parse(exportOf('FHIR_R4', records, facts)));
  if (!parsed.success) throw new Error(JSON.stringify(parsed.error.issues.slice(0, 5), null, 1));
  return parsed.data;
}

const resources = (document: Bundle): Resource[] => document.entry.map(({ resource }) => resource);

const ofType = <Type extends Resource['resourceType']>(document: Bundle, type: Type) =>
  resources(document).filter(
    (resource): resource is Extract<Resource, { resourceType: Type }> => resource.resourceType === type,
  );

function observed(said: Submitted, assigned: Parameters<typeof exportedRecord>[1] = {}): Observation {
  const [found] = ofType(read([exportedRecord(said, assigned)]), 'Observation');
  if (!found) throw new Error('There is no Observation.');
  return found;
}

/** Every literal reference with the name of the member that holds it. */
function references(value: unknown, name = ''): { name: string; to: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => references(item, name));
  return Object.entries(value).flatMap(([member, inner]) =>
    member === 'reference' && typeof inner === 'string' ? [{ name, to: inner }] : references(inner, member),
  );
}

describe('a Bundle', () => {
  test('is whole without a record', () => {
    const document = read([]);
    expect(resources(document).map(({ resourceType }) => resourceType)).toEqual(['Patient', 'Consent']);
    expect(document).toMatchObject({ type: 'collection', timestamp: FACTS.exported_at });
  });

  test('has every institution once: who may use the consent, and who submitted', () => {
    const hospital = { ...LAB, ieo_id: '7d0f5c0e-51a7-5f6e-8f2f-0d8a4f3f9a11', domain: 'einstein.bsp' };
    const records = [
      exportedRecord(),
      exportedRecord({ value: 1 }, {}, { institution: hospital }),
      exportedRecord({ value: 2 }, {}, { institution: hospital }),
    ];
    const organizations = ofType(read(records, GRANTED_TO_LAB), 'Organization');
    expect(organizations.map(({ id }) => id)).toEqual([LAB.ieo_id, hospital.ieo_id]);
  });

  test('refers to what it has, and to types that may stand there', () => {
    const old = exportedRecord({ value: 12 }, { status: 'SUPERSEDED' });
    const correction = exportedRecord(
      { value: 12.4, supersedes: old.record.record_id, source: { equipment: 'Cobas 8000' } },
      {},
      { supersedes_exported: true },
    );
    const document = read([correction, old], GRANTED_TO_LAB);
    const types = new Map(document.entry.map(({ fullUrl, resource }) => [fullUrl, resource.resourceType]));
    const found = references(document).filter(({ to }) => !to.startsWith('#'));
    expect(found.length).toBeGreaterThan(10);
    for (const { name, to } of found) {
      const type = types.get(to);
      expect(type).toBeDefined();
      if (REFERENCE_TARGETS[name]) expect(REFERENCE_TARGETS[name]).toContain(type);
    }
  });

  test('is the same for the same export', () => {
    const records = [exportedRecord(), exportedRecord({ value: 'x' })];
    expect(exportOf('FHIR_R4', records)).toBe(exportOf('FHIR_R4', records));
  });

  test('tells of the holder what the service knows: a domain and an id', () => {
    const [patient] = ofType(read([]), 'Patient');
    expect(patient?.identifier.map(({ value }) => value)).toEqual([`urn:uuid:${BEO_ID}`, 'ana.bsp']);
  });

  test('gives the consent with who may do what, with which data, until when', () => {
    const [consent] = ofType(read([], GRANTED_TO_LAB), 'Consent');
    expect(consent).toMatchObject({
      status: 'active',
      identifier: [{ value: GRANTED_TO_LAB.token.token_id }],
      patient: { reference: `urn:uuid:${BEO_ID}` },
      dateTime: '2026-11-01T08:00:00.000Z',
      provision: {
        type: 'permit',
        period: { start: '2026-11-01T08:00:00.000Z', end: '2027-11-01T08:00:00.000Z' },
        actor: [{ reference: { reference: `urn:uuid:${LAB.ieo_id}` } }],
        action: [{ coding: [{ code: 'READ_RECORDS' }] }, { coding: [{ code: 'EXPORT_DATA' }] }],
        code: [{ coding: [{ code: 'BSP-HM' }] }, { coding: [{ code: 'BSP-GL' }] }],
        dataPeriod: { start: '2025-01-01T00:00:00.000Z' },
        class: [{ system: 'urn:perpetua:fhir:code-system:level', code: 'STANDARD' }],
        modifierExtension: [{ url: 'urn:perpetua:fhir:extension:max-records', valuePositiveInt: 500 }],
      },
    });
    expect(consent?.text.div).toContain('of the levels STANDARD, at most 500 records,');
  });

  test('narrows a consent to all categories by none', () => {
    const [consent] = ofType(read([]), 'Consent');
    for (const limit of ['code', 'class', 'modifierExtension', 'dataPeriod']) {
      expect(Object.keys(consent?.provision ?? {})).not.toContain(limit);
    }
    expect(consent?.provision.actor[0]?.reference.reference).toBe(`urn:uuid:${BEO_ID}`);
  });

  test('names a destroyed institution by its domain', () => {
    const institution = { ...LAB, display_name: null, country: null };
    const [organization] = ofType(read([exportedRecord({}, {}, { institution })]), 'Organization');
    expect(organization).not.toHaveProperty('name');
    expect(organization?.identifier?.map(({ value }) => value)).toContain('fleury.bsp');
  });

  test('is valid whatever stands in a record, and shows markup as text', () => {
    const records = HOSTILE.flatMap((text) => {
      const source = { method: text, equipment: text, operator: text, firmware: { text } };
      const institution = { ...LAB, ieo_id: LAB.ieo_id, display_name: text.slice(0, 120), country: text.slice(0, 60) };
      const ref_range = { optimal: text, functional: text, unit: text, population: text };
      return [
        exportedRecord({ value: text, unit: text.slice(0, 60), source, ref_range, [text]: text }, {}, { institution }),
        exportedRecord({ value: { [text]: text, b: text, c: 1 }, unit: text }, {}, { institution }),
        exportedRecord({ value: 1, unit: text }, {}, { institution }),
      ];
    });
    for (const record of records) expect(read([record]).entry.length).toBeGreaterThan(4);
    expect(ofType(read(records), 'Observation')).toHaveLength(records.length);
  });

  test('is valid for any value that can be submitted', () => {
    const value = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.dictionary(
        fc.string(),
        fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean()),
      ),
      fc.object().map((object) => JSON.parse(JSON.stringify(object))),
    );
    const unit = fc.constantFrom('g/dL', 'mmHg', 'µg/L', '10³/µL', '%', 'score', 'n/a', '<b>');
    const biomarker = fc.constantFrom('BSP-HM-002', 'BSP-DV-005', 'BSP-LA-999', 'BSP-DV-006');
    fc.assert(
      fc.property(value, unit, biomarker, (value, unit, biomarker) => {
        fc.pre(!/\\ud[89a-f]/.test(JSON.stringify(value)));
        expect(read([exportedRecord({ value, unit, biomarker })]).entry).toHaveLength(5);
      }),
    );
  });
});

describe('the value of an Observation', () => {
  test('is a quantity with its UCUM code where the unit is certain', () => {
    expect(observed({ value: 13.5, unit: 'g/dL' }).valueQuantity).toEqual({
      value: 13.5,
      unit: 'g/dL',
      system: 'http://unitsofmeasure.org',
      code: 'g/dL',
    });
    expect(observed({ value: 7, unit: 'µg/dl' }).valueQuantity).toMatchObject({ unit: 'µg/dl', code: 'ug/dL' });
  });

  test('has its unit as text alone where it is not', () => {
    expect(observed({ value: 7, unit: 'points' }).valueQuantity).toEqual({ value: 7, unit: 'points' });
  });

  test('keeps the digits of a number that was sent as text', () => {
    const text = exportOf('FHIR_R4', [exportedRecord({ value: '1.50' })]);
    expect(text).toContain('"valueQuantity":{"value":1.50,"unit":"g/dL"');
    expect(() => bundle.parse(JSON.parse(text))).not.toThrow();
  });

  test.each([
    ['<0.5', '<', 0.5],
    ['> 100', '>', 100],
    ['≤5.0', '<=', 5],
    ['>=1e3', '>=', 1000],
  ])('beyond what could be measured has a comparator: %s', (value, comparator, limit) => {
    expect(observed({ value })).toMatchObject({ valueQuantity: { value: limit, comparator, code: 'g/dL' } });
  });

  test.each(['negative', '+++', '1,5', '<', '< high', '1.5 g/dL', '0x10'])('is a text where it is one: %s', (value) => {
    const { valueString, valueQuantity, extension } = observed({ value });
    expect([valueString, valueQuantity]).toEqual([value, undefined]);
    expect(extension).toEqual([{ url: 'urn:perpetua:fhir:extension:unit', valueString: 'g/dL' }]);
  });

  test('is absent, with a reason, where nothing but white space was sent', () => {
    expect(observed({ value: '\u3000' })).toMatchObject({ dataAbsentReason: { coding: [{ code: 'unknown' }] } });
  });

  test('has components for the members of an object, without units that nobody stated', () => {
    expect(observed({ value: { rate: 88, rhythm: 'sinus', paced: false }, unit: 'bpm' })).toMatchObject({
      component: [
        { code: { text: 'rate' }, valueQuantity: { value: 88 } },
        { code: { text: 'rhythm' }, valueString: 'sinus' },
        { code: { text: 'paced' }, valueBoolean: false },
      ],
      extension: [{ valueString: 'bpm' }],
    });
    expect(observed({ value: { rate: 88 }, unit: 'bpm' }).component?.[0]?.valueQuantity).toEqual({ value: 88 });
  });

  test('is canonical JSON for an object that goes deeper, or is empty', () => {
    expect(observed({ value: { b: [1, 2], a: 'x' } }).valueString).toBe('{"a":"x","b":[1,2]}');
    expect(observed({ value: {} }).valueString).toBe('{}');
  });

  test('of blood pressure is a panel of LOINC, as the vital signs of R4 have it', () => {
    const { code, category, component } = observed({
      biomarker: 'BSP-DV-005',
      value: { systolic: 120, diastolic: 80 },
      unit: 'mmHg',
    });
    expect(code.coding?.[0]).toMatchObject({ system: 'http://loinc.org', code: '85354-9' });
    expect(category[0]?.coding?.[0]?.code).toBe('vital-signs');
    expect(component).toMatchObject([
      { code: { coding: [{ code: '8480-6' }] }, valueQuantity: { value: 120, code: 'mm[Hg]' } },
      { code: { coding: [{ code: '8462-4' }] }, valueQuantity: { value: 80, code: 'mm[Hg]' } },
    ]);
  });
});

describe('the code of an Observation', () => {
  const codes = (said: Submitted) => observed(said).code.coding?.map(({ code }) => code);

  test('is LOINC and the taxonomy, by the unit', () => {
    expect(codes({ unit: 'g/dL' })).toEqual(['718-7', 'BSP-HM-002']);
    expect(codes({ unit: 'mmol/L' })).toEqual(['59260-0', 'BSP-HM-002']);
  });

  test('is the taxonomy alone where LOINC is not certain, or the value is not of the kind that LOINC means', () => {
    expect(codes({ unit: 'points' })).toEqual(['BSP-HM-002']);
    expect(codes({ value: 'haemolysed' })).toEqual(['BSP-HM-002']);
    expect(codes({ biomarker: 'BSP-LA-001', unit: 'pg/mL' })).toEqual(['BSP-LA-001']);
    expect(codes({ biomarker: 'BSP-LA-999' })).toEqual(['BSP-LA-999']);
    expect(codes({ biomarker: 'BSP-DV-005', value: { sys: 120, dia: 80 }, unit: 'mmHg' })).toEqual(['BSP-DV-005']);
  });
});

describe('what stands around the value', () => {
  test('is when, by whom, with what and how', () => {
    const source = { method: 'HPLC', equipment: 'Cobas 8000', operator: 'J. Silva', firmware: '1.2' };
    expect(observed({ source, confidence: 0.9 })).toMatchObject({
      status: 'final',
      effectiveDateTime: '2026-10-01T07:30:00.000Z',
      issued: '2026-10-02T09:00:00.000Z',
      performer: [{ reference: `urn:uuid:${LAB.ieo_id}`, display: 'Laboratório Fleury' }, { display: 'J. Silva' }],
      method: { text: 'HPLC' },
      device: { reference: '#device' },
      contained: [{ deviceName: [{ name: 'Cobas 8000' }], version: [{ value: '1.2' }] }],
      extension: [{ url: 'urn:perpetua:fhir:extension:confidence', valueDecimal: 0.9 }],
    });
  });

  test('says that a time is there which FHIR cannot say', () => {
    const { effectiveDateTime, _effectiveDateTime } = observed({ collected_at: '0000-06-01T00:00:00.000Z' });
    expect(effectiveDateTime).toBeUndefined();
    expect(_effectiveDateTime?.extension).toHaveLength(1);
  });

  test('withdraws a superseded record and relates its correction to it', () => {
    const old = exportedRecord({ value: 12 }, { status: 'SUPERSEDED' });
    const said = { value: 12.4, supersedes: old.record.record_id.toUpperCase() };
    const document = read([exportedRecord(said, {}, { supersedes_exported: true }), old]);
    const uri = `urn:uuid:${old.record.record_id}`;
    const related = { reference: uri, type: 'Observation', identifier: { value: uri } };
    expect(ofType(document, 'Observation')).toMatchObject([
      {
        status: 'corrected',
        extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/observation-replaces', valueReference: related }],
      },
      { status: 'entered-in-error' },
    ]);
    expect(ofType(document, 'Provenance')[0]).toMatchObject({
      activity: { coding: [{ code: 'UPDATE' }] },
      entity: [{}, {}, { role: 'revision', what: related }],
    });
  });

  test('relates a correction by identifier alone where the corrected record is not in the Bundle', () => {
    const supersedes = 'c0a8a8a8-0000-5000-8000-000000000001';
    const { extension } = observed({ supersedes });
    expect(extension).toMatchObject([{ valueReference: { identifier: { value: `urn:uuid:${supersedes}` } } }]);
    expect(references(extension)).toEqual([]);
  });
});

describe('the Provenance of a record', () => {
  test('says who submitted it, when, and with which entry', () => {
    const exported = exportedRecord();
    expect(ofType(read([exported]), 'Provenance')).toMatchObject([
      {
        target: [{ reference: `urn:uuid:${exported.record.record_id}` }],
        recorded: '2026-10-02T09:00:00.000Z',
        agent: [{ who: { reference: `urn:uuid:${LAB.ieo_id}` } }],
        entity: [{ role: 'source', what: { identifier: { value: exported.proof.arweave_tx } } }, {}],
      },
    ]);
  });

  test('proves the record it holds', () => {
    const records = HOSTILE.map((value) => exportedRecord({ value }));
    for (const { contained, extension } of ofType(read(records), 'Provenance')) {
      const submitted = JSON.parse(Buffer.from(contained[0]?.data ?? '', 'base64').toString());
      const proof = new Map(
        extension
          .flatMap((outer) => (outer as { extension: { url: string; valueString?: string }[] }).extension)
          .map(({ url, valueString }) => [url, valueString]),
      );
      expect(commitmentOf(proof.get('salt') ?? '', submitted)).toBe(proof.get('commitment'));
    }
  });
});
