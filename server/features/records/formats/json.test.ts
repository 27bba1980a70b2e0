import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exported } from '../../../../protocol/records/exported-record.ts';
import {
  BEO_ID,
  commitmentOf,
  exportedRecord,
  HOSTILE,
  LAB,
} from '../../../../protocol/records/test-exported-record.ts';
import { exportOf, FACTS } from './test-export.ts';

const read = (records: readonly Exported[]) => JSON.parse(exportOf('JSON', records));

describe('the JSON export', () => {
  test('contains the holder, the token and the number of records', () => {
    const document = read([exportedRecord()]);
    expect(document).toMatchObject({
      format: 'JSON',
      exported_at: FACTS.exported_at,
      beo_id: BEO_ID,
      beo_domain: 'ana.bsp',
      token: { token_id: FACTS.token.token_id, scope: { intents: ['EXPORT_DATA'] } },
      record_count: 1,
    });
    expect(document.institutions).toEqual([LAB]);
  });

  test('is complete without records', () => {
    expect(read([])).toMatchObject({ record_count: 0, records: [], institutions: [] });
  });

  test('names an institution once for any number of records', () => {
    const hospital = { ...LAB, ieo_id: BEO_ID, domain: 'einstein.bsp' };
    const records = [1, 2, 3].map((value) => exportedRecord({ value }));
    const document = read([...records, exportedRecord({ value: 4 }, {}, { institution: hospital })]);
    expect(document.institutions).toEqual([LAB, hospital]);
  });

  test('contains every record as a read returns it, including superseded ones', () => {
    const superseded = exportedRecord({ value: 12 }, { status: 'SUPERSEDED' });
    const [first, second] = read([exportedRecord(), superseded]).records;
    expect(first).toMatchObject(exportedRecord().record);
    expect(second).toMatchObject({ status: 'SUPERSEDED', value: 12 });
  });

  test('contains the proof of each record and describes how to verify it', () => {
    const document = read(HOSTILE.map((value) => exportedRecord({ value })));
    expect(document.how_to_check_a_proof).toMatch(/salt.*RFC 8785.*submitted.*SHA-256.*commitment.*submitRecords/);
    expect(document.records).toHaveLength(HOSTILE.length);
    for (const { proof } of document.records) {
      expect(commitmentOf(proof.salt, proof.submitted)).toBe(proof.commitment);
    }
  });

  test('does not change values', () => {
    const values = ['1.50', ' 1.50', '', 1.5, -0.001, 1e21, 1e-7, 0, { b: 1, a: ['1.0'] }, 'null'];
    expect(
      read(values.map((value) => exportedRecord({ value }))).records.map(({ value }: { value: unknown }) => value),
    ).toEqual(values);
    expect(exportOf('JSON', [exportedRecord({ value: 1e21 })])).toContain('"value":1e+21');
  });

  test('keeps the submitter’s own members, even one named proof', () => {
    const [record] = read([exportedRecord({ proof: 'of purchase', note: 'fasting' })]).records;
    expect(record).toMatchObject({ note: 'fasting', proof: { submitted: { proof: 'of purchase' } } });
  });

  test('has every JSON value unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue().filter(isWellFormed), { maxLength: 5 }), (values) => {
        const records = values.map((value) => exportedRecord({ value: { value: JSON.parse(JSON.stringify(value)) } }));
        expect(read(records).records.map(({ value }: { value: unknown }) => value)).toEqual(
          records.map(({ record }) => record.value),
        );
      }),
    );
  });
});

const isWellFormed = (value: unknown): boolean => !/\\ud[89a-f]/.test(JSON.stringify(value));
