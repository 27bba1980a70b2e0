import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { assessRecord } from '../../../../protocol/clinical/assess.ts';
import { parseCollected } from '../../../../protocol/clinical/collected.ts';
import { meaningOf } from '../../../../protocol/clinical/value.ts';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { fhirText } from '../../../../protocol/records/fhir/write/primitives.ts';
import { exportedRecord, HOSTILE, type Submitted } from '../../../../protocol/records/test-exported-record.ts';
import { isObject, type Json } from '../../../../protocol/signing/canonical-json.ts';
import type { ExportFormat } from '../../../../server/features/records/formats/format.ts';
import { exportOf } from '../../../../server/features/records/formats/test-export.ts';
import { leftRowsCsv } from './left-rows.ts';
import { mappingOf } from './map-columns.ts';
import { parseBytes } from './parse-file.ts';
import { isNoResult, isNoValue } from './read-cell.ts';
import { type CsvRow, parseCsv, readRows } from './read-csv.ts';

const CONSENT = { beo_id: 'person', token_id: 'tok_1' } as unknown as TokenView;
const COVER = { covers: () => true, levels: [], period: null };

/** What the page reads from an export of the records. */
function readBack(format: ExportFormat, records: readonly Submitted[]): readonly CsvRow[] {
  const document = exportOf(
    format,
    records.map((record) => exportedRecord(record)),
  );
  const file = parseBytes(new TextEncoder().encode(document));
  if ('problem' in file) throw new Error(file.problem);
  return readRows(file.parsed, {
    mapping: mappingOf(file.parsed),
    mark: null,
    rangeMark: null,
    dateOrder: 'iso',
    zone: 'UTC',
    wasSent: () => false,
    recipientOf: () => ({ usable: [{ consent: CONSENT, cover: COVER }] }),
    now: Date.parse('2026-11-21T12:00:00Z'),
  }).rows;
}

/** A text that is a number in canonical JSON is read as that number. */
const asRead = (value: Json | undefined): Json | undefined =>
  typeof value === 'string' && String(Number(value)) === value ? Number(value) : value;

const bound = fc.double({ min: 0, max: 1_000, noNaN: true }).map(Math.abs);
const bands = fc
  .uniqueArray(fc.constantFrom('optimal', 'functional', 'deficiency', 'toxicity', 'critical'), { minLength: 1 })
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.record({ [`${name}_low`]: bound, [`${name}_high`]: bound }, { requiredKeys: [`${name}_low`] }),
      ),
    ),
  )
  .map((all): { [member: string]: Json } => Object.assign({}, ...all));
/** Not “nA”, “ND” and the like, which stand for no value or no result. */
const words = fc
  .stringMatching(/^[A-Za-z][A-Za-z ]{0,10}[A-Za-z]$/)
  .filter((text) => !isNoValue(text) && !isNoResult(text));
const range = fc.oneof(
  bands,
  fc.tuple(bands, words).map(([ranges, population]) => ({ ...ranges, population })),
  fc.tuple(bands, words).map(([ranges, optimal]) => ({ ...ranges, optimal })),
  bands.map((ranges) => ({ ...ranges, unit: 'g/L' })),
);
const measured = fc.oneof(
  fc.record({
    biomarker: fc.constant('BSP-HM-002'),
    unit: fc.constantFrom('g/dL', 'G/DL'),
    value: fc.oneof(
      fc.double({ min: 4, max: 30, noNaN: true }),
      fc.constantFrom('13.50', '<5.0', '>=4', '5 – 10', '12.000', '1.3e+1'),
    ),
  }),
  fc.record({
    biomarker: fc.constant('BSP-DV-005'),
    unit: fc.constant('mmHg'),
    value: fc.record({ systolic: fc.integer({ min: 60, max: 220 }), diastolic: fc.integer({ min: 30, max: 130 }) }),
  }),
  fc.record({ biomarker: fc.constant('BSP-GN-001'), unit: fc.constant('allele pair'), value: words }),
  fc.record({
    biomarker: fc.constant('BSP-LA-001'),
    unit: fc.constant('points'),
    value: fc.oneof(
      fc.record({ a: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), b: words, c: fc.boolean() }),
      fc.constant({ a: { b: 1 } }),
    ),
  }),
);
const record = fc
  .tuple(
    measured,
    fc.record(
      {
        collected_at: fc.constantFrom('2026-11-20', '2026-11-20T08:30:00-03:00', '2026-11-20T08:30:00.123Z'),
        ref_range: range,
        confidence: fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs),
        supersedes: fc.uuid(),
        source: fc.record(
          { method: words, equipment: words, firmware: words, operator: words },
          { requiredKeys: ['method'] },
        ),
      },
      { requiredKeys: ['collected_at'] },
    ),
  )
  .map(([value, rest]): Submitted => ({ ...value, ...rest }));

describe.each<ExportFormat>(['FHIR_R4', 'CSV', 'JSON'])('an export as %s', (format) => {
  test('reads back to the same records', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 4 }), (records) => {
        const rows = readBack(format, records);
        expect(rows.flatMap(({ problems }) => problems)).toEqual([]);
        expect(rows.map(({ record: read }) => read)).toEqual(
          records.map((sent) => ({ ...sent, value: asRead(sent.value) })),
        );
      }),
    );
  });

  test('with any value reads back to what it means, or reports it', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(...HOSTILE, '1.250', '1,250', '+5', '-1', "'=1", '92 H', '<1,5', '1 250', 'a\u3000b', '\0\0'),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    );
    fc.assert(
      fc.property(
        value.filter((text) => text !== ''),
        (sent) => {
          // FHIR has no spaces but plain ones.
          const text = typeof sent === 'string' && format === 'FHIR_R4' ? fhirText(sent) : sent;
          for (const { record: read, problems, warnings } of readBack(format, [
            { biomarker: 'BSP-LA-001', unit: 'points', value: sent },
          ])) {
            if (problems.length > 0 || warnings.length > 0) continue;
            const [before, after] = [meaningOf(sent), meaningOf(read.value ?? null)];
            if (before.kind === 'number' || before.kind === 'limit') {
              expect(after).toMatchObject({ kind: before.kind, number: before.number });
            } else expect(read.value).toEqual(typeof text === 'string' ? text.trim() : text);
          }
        },
      ),
    );
  });
});

/** The records that the cases of files state. */
const CASES = new URL('cases/', import.meta.url);
const stated = readdirSync(CASES)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => {
    const { rows }: { rows: { record?: Submitted }[] } = JSON.parse(readFileSync(new URL(file, CASES), 'utf8'));
    return rows.flatMap(({ record }) => (record ? [[file, record] as const] : []));
  });

test.each<ExportFormat>(['FHIR_R4', 'CSV', 'JSON'])('the records of every case read back from %s', (format) => {
  const rows = readBack(
    format,
    stated.map(([, record]) => record),
  );
  for (const [index, [file, sent]] of stated.entries()) {
    const { record: read, problems } = rows[index] ?? {};
    expect(problems, file).toEqual([]);
    expect(meaningIn(read), file).toEqual(meaningIn(sent));
  }
});

/** What a record says: FHIR has no spaces but plain ones, and no minutes without seconds. */
function meaningIn({ biomarker, value = null, unit, collected_at, ref_range = null }: Submitted = {}) {
  const measured = { value, unit: String(unit), ref_range: isObject(ref_range) ? ref_range : null, biomarker };
  return {
    biomarker,
    value: meaningOf(typeof value === 'string' ? (fhirText(value) ?? value) : value),
    unit: fhirText(String(unit)),
    collected: parseCollected(String(collected_at)),
    interpretation: assessRecord(measured),
    ref_range,
  };
}

test('rows that are saved read back to the same cells', () => {
  const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...HOSTILE.filter((text) => text.length < 100)));
  const file = fc.record({
    separator: fc.constantFrom(',', ';', '\t'),
    texts: fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }),
  });
  fc.assert(
    fc.property(file, ({ separator, texts }) => {
      const body = texts.map((cells, index) => ({ row: index + 2, texts: cells }));
      const saved = leftRowsCsv(
        { separator, header: ['patient', 'value', 'unit'], body },
        body.map(({ row }) => ({ row, reason: () => 'why' })),
        'reason',
      );
      const read = parseCsv(saved);
      expect('problem' in read ? read : read.body.map((row) => row.texts)).toEqual(
        texts.map((cells) => [...cells, 'why']),
      );
    }),
  );
});
