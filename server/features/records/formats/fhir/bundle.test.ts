import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exported } from '../../../../../protocol/records/exported-record.ts';
import {
  BEO_ID,
  commitmentOf,
  exportedRecord,
  HOSTILE,
  LAB,
  type Submitted,
} from '../../../../../protocol/records/test-exported-record.ts';
import type { ExportFacts } from '../exported.ts';
import { exportOf, FACTS, GRANTED_TO_LAB } from '../test-export.ts';
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

function observationOf(members: Submitted, assigned: Parameters<typeof exportedRecord>[1] = {}): Observation {
  const [observation] = ofType(read([exportedRecord(members, assigned)]), 'Observation');
  if (!observation) throw new Error('The Bundle has no Observation.');
  return observation;
}

/** Every literal reference with the name of the member that contains it. */
function references(value: unknown, name = ''): { name: string; target: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => references(item, name));
  return Object.entries(value).flatMap(([member, inner]) =>
    member === 'reference' && typeof inner === 'string' ? [{ name, target: inner }] : references(inner, member),
  );
}

describe('a Bundle', () => {
  test('is complete without records', () => {
    const document = read([]);
    expect(resources(document).map(({ resourceType }) => resourceType)).toEqual(['Patient', 'Consent']);
    expect(document).toMatchObject({ type: 'collection', timestamp: FACTS.exported_at });
  });

  test('has every institution once, whether grantee or submitter', () => {
    const hospital = { ...LAB, ieo_id: '7d0f5c0e-51a7-5f6e-8f2f-0d8a4f3f9a11', domain: 'einstein.bsp' };
    const records = [
      exportedRecord(),
      exportedRecord({ value: 1 }, {}, { institution: hospital }),
      exportedRecord({ value: 2 }, {}, { institution: hospital }),
    ];
    const organizations = ofType(read(records, GRANTED_TO_LAB), 'Organization');
    expect(organizations.map(({ id }) => id)).toEqual([LAB.ieo_id, hospital.ieo_id]);
  });

  test('refers only to its own resources, of types that R4 allows there', () => {
    const old = exportedRecord({ value: 12 }, { status: 'SUPERSEDED' });
    const correction = exportedRecord(
      { value: 12.4, supersedes: old.record.record_id, source: { equipment: 'Cobas 8000' } },
      {},
      { supersedes_exported: true },
    );
    const document = read([correction, old], GRANTED_TO_LAB);
    const types = new Map(document.entry.map(({ fullUrl, resource }) => [fullUrl, resource.resourceType]));
    const external = references(document).filter(({ target }) => !target.startsWith('#'));
    expect(external.length).toBeGreaterThan(10);
    for (const { name, target } of external) {
      const type = types.get(target);
      expect(type).toBeDefined();
      if (REFERENCE_TARGETS[name]) expect(REFERENCE_TARGETS[name]).toContain(type);
    }
  });

  test('is the same for the same export', () => {
    const records = [exportedRecord(), exportedRecord({ value: 'x' })];
    expect(exportOf('FHIR_R4', records)).toBe(exportOf('FHIR_R4', records));
  });

  test('contains of the holder the domain and the id', () => {
    const [patient] = ofType(read([]), 'Patient');
    expect(patient?.identifier.map(({ value }) => value)).toEqual([`urn:uuid:${BEO_ID}`, 'ana.bsp']);
  });

  test('contains the consent with its grantee, actions, scope and period', () => {
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

  test('has no category limit for a consent to all categories', () => {
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

  test('is valid with hostile texts and escapes markup', () => {
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
  test('is a quantity with the UCUM code of a known unit', () => {
    expect(observationOf({ value: 13.5, unit: 'g/dL' }).valueQuantity).toEqual({
      value: 13.5,
      unit: 'g/dL',
      system: 'http://unitsofmeasure.org',
      code: 'g/dL',
    });
    expect(observationOf({ value: 7, unit: 'µg/dl' }).valueQuantity).toMatchObject({ unit: 'µg/dl', code: 'ug/dL' });
  });

  test('is a quantity with its unit as text if the unit is unknown', () => {
    expect(observationOf({ value: 7, unit: 'points' }).valueQuantity).toEqual({ value: 7, unit: 'points' });
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
    ['<0,5', '<', 0.5],
  ])('beyond the measuring range has a comparator: %s', (value, comparator, limit) => {
    expect(observationOf({ value })).toMatchObject({ valueQuantity: { value: limit, comparator, code: 'g/dL' } });
  });

  test.each(['negative', '+++', '1,500', '<', '< high', '1.5 g/dL', '0x10'])(
    'is a string if it is not a number: %s',
    (value) => {
      const { valueString, valueQuantity, extension } = observationOf({ value });
      expect([valueString, valueQuantity]).toEqual([value, undefined]);
      expect(extension).toEqual([{ url: 'urn:perpetua:fhir:extension:unit', valueString: 'g/dL' }]);
    },
  );

  test('is absent with a reason if only white space was sent', () => {
    expect(observationOf({ value: '\u3000' })).toMatchObject({ dataAbsentReason: { coding: [{ code: 'unknown' }] } });
  });

  test('has components for the members of an object, without guessing their units', () => {
    expect(observationOf({ value: { rate: 88, rhythm: 'sinus', paced: false }, unit: 'bpm' })).toMatchObject({
      component: [
        { code: { text: 'rate' }, valueQuantity: { value: 88 } },
        { code: { text: 'rhythm' }, valueString: 'sinus' },
        { code: { text: 'paced' }, valueBoolean: false },
      ],
      extension: [{ valueString: 'bpm' }],
    });
    expect(observationOf({ value: { rate: 88 }, unit: 'bpm' }).component?.[0]?.valueQuantity).toEqual({ value: 88 });
  });

  test('is canonical JSON for an empty or nested object', () => {
    expect(observationOf({ value: { b: [1, 2], a: 'x' } }).valueString).toBe('{"a":"x","b":[1,2]}');
    expect(observationOf({ value: {} }).valueString).toBe('{}');
  });

  test('of blood pressure is the LOINC panel of R4’s vital signs', () => {
    const { code, category, component } = observationOf({
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
  const codes = (members: Submitted) => observationOf(members).code.coding?.map(({ code }) => code);

  test('is of LOINC, chosen by the unit, and of the taxonomy', () => {
    expect(codes({ unit: 'g/dL' })).toEqual(['718-7', 'BSP-HM-002']);
    expect(codes({ unit: 'mmol/L' })).toEqual(['59260-0', 'BSP-HM-002']);
  });

  test('is only of the taxonomy if no LOINC term fits the unit or the value', () => {
    expect(codes({ unit: 'points' })).toEqual(['BSP-HM-002']);
    expect(codes({ value: 'haemolysed' })).toEqual(['BSP-HM-002']);
    expect(codes({ biomarker: 'BSP-LA-001', unit: 'pg/mL' })).toEqual(['BSP-LA-001']);
    expect(codes({ biomarker: 'BSP-LA-999' })).toEqual(['BSP-LA-999']);
    expect(codes({ biomarker: 'BSP-DV-005', value: { sys: 120, dia: 80 }, unit: 'mmHg' })).toEqual(['BSP-DV-005']);
  });
});

describe('the other members of an Observation', () => {
  test('contain times, performers, device and method', () => {
    const source = { method: 'HPLC', equipment: 'Cobas 8000', operator: 'J. Silva', firmware: '1.2' };
    expect(observationOf({ source, confidence: 0.9 })).toMatchObject({
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

  test('have an extension for a time that FHIR cannot represent', () => {
    expect(observationOf({ collected_at: '2026-11-20' })).toMatchObject({ effectiveDateTime: '2026-11-20' });
    const { effectiveDateTime, _effectiveDateTime } = observationOf({ collected_at: '0000-06-01T00:00:00.000Z' });
    expect(effectiveDateTime).toBeUndefined();
    expect(_effectiveDateTime?.extension).toHaveLength(1);
  });

  test('mark a superseded record as entered in error and link its correction to it', () => {
    const old = exportedRecord({ value: 12 }, { status: 'SUPERSEDED' });
    const correction = { value: 12.4, supersedes: old.record.record_id.toUpperCase() };
    const document = read([exportedRecord(correction, {}, { supersedes_exported: true }), old]);
    const uri = `urn:uuid:${old.record.record_id}`;
    const replaced = { reference: uri, type: 'Observation', identifier: { value: uri } };
    expect(ofType(document, 'Observation')).toMatchObject([
      {
        status: 'corrected',
        extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/observation-replaces', valueReference: replaced }],
      },
      { status: 'entered-in-error' },
    ]);
    expect(ofType(document, 'Provenance')[0]).toMatchObject({
      activity: { coding: [{ code: 'UPDATE' }] },
      entity: [{}, {}, { role: 'revision', what: replaced }],
    });
  });

  test('link a correction by identifier only if the corrected record is not in the Bundle', () => {
    const supersedes = 'c0a8a8a8-0000-5000-8000-000000000001';
    const { extension } = observationOf({ supersedes });
    expect(extension).toMatchObject([{ valueReference: { identifier: { value: `urn:uuid:${supersedes}` } } }]);
    expect(references(extension)).toEqual([]);
  });
});

describe('the Provenance of a record', () => {
  test('contains the submitter, the time and the ledger entry', () => {
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

  test('contains the proof of its record', () => {
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
