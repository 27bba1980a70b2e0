import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import taxonomy from '../records/taxonomy.json' with { type: 'json' };
import { biomarkerOf, listedUnits } from '../records/taxonomy.ts';
import type { Json } from '../signing/canonical-json.ts';
import table from './plausibility.json' with { type: 'json' };
import { expectedKind, isImpossible } from './plausibility.ts';
import stated from './plausibility-sources.json' with { type: 'json' };
import { recordWarnings } from './record-warnings.ts';
import { ucumOf } from './units.ts';

const codes = (value: Json, unit = 'mmol/L', biomarker = 'BSP-MN-007') =>
  recordWarnings([{ biomarker, value: value as string, unit }]).map(({ code }) => code);

test.each<[value: Json, unit: string, biomarker: string, codes: readonly string[]]>([
  [4.1, 'mEq/L', 'BSP-MN-007', []],
  [1.9, 'mEq/L', 'BSP-MN-007', ['VALUE_UNUSUAL']],
  ['<3', 'mEq/L', 'BSP-MN-007', []],
  [92, 'mg/dL', 'BSP-GL-001', []],
  [0.92, 'g/L', 'BSP-GL-001', []],
  [9.2, 'g/L', 'BSP-GL-001', ['VALUE_UNUSUAL']],
  [5.2, 'mmol/L', 'BSP-GL-001', []],
  [52, 'mmol/L', 'BSP-GL-001', ['VALUE_UNUSUAL']],
  [650, 'umol/L', 'BSP-LV-004', ['UNIT_UNUSUAL']],
  [-14, 'g/dL', 'BSP-HM-002', ['VALUE_IMPOSSIBLE']],
  [1_400_000, 'g/dL', 'BSP-HM-002', ['VALUE_IMPOSSIBLE']],
  [104, '%', 'BSP-DV-006', ['VALUE_IMPOSSIBLE']],
  ['abc', 'g/dL', 'BSP-HM-002', ['VALUE_NOT_NUMERIC']],
  ['1,250', 'ng/mL', 'BSP-MN-004', ['VALUE_UNCERTAIN']],
  ['e3/e4', 'allele pair (e.g. ε3/ε4)', 'BSP-GN-001', []],
  [{ systolic: 132, diastolic: 84 }, 'mmHg', 'BSP-DV-005', []],
  [-40, 'points', 'BSP-LA-001', []],
  [410, 'mg/dL', 'BSP-GL-001', []],
  [132, 'mmHg', 'BSP-DV-005', []],
  ['high', 'mmHg', 'BSP-DV-005', ['VALUE_NOT_NUMERIC']],
  [{ a: 1 }, 'g/dL', 'BSP-HM-002', ['VALUE_NOT_NUMERIC']],
  [120, '%', 'BSP-LV-009', ['UNIT_UNUSUAL']],
  [104, 'percentile', 'BSP-GN-005', ['VALUE_IMPOSSIBLE']],
  [-3, 'score', 'BSP-DV-020', []],
  [-5, 'mmol/L', 'BSP-MN-999', []],
  [-5, 'mEq/L', 'BSP-MN-007', ['VALUE_IMPOSSIBLE']],
  [4.5, '10³/µL', 'BSP-HM-001', ['VALUE_UNUSUAL']],
  [4.5, '10⁶/µL', 'BSP-HM-001', []],
  [7_939, 'mg/L', 'BSP-VT-007', ['VALUE_UNUSUAL']],
  [104, '%', 'BSP-MN-005', []],
  [130, '%', 'BSP-MN-005', ['VALUE_UNUSUAL']],
  [1_500, 'minutes', 'BSP-DV-015', ['VALUE_UNUSUAL']],
  [-101, 'score', 'BSP-DV-020', ['VALUE_UNUSUAL']],
  [60_000, 'µmol/g', 'BSP-MB-003', ['VALUE_IMPOSSIBLE']],
])('%j %s of %s has the warnings %j', (value, unit, biomarker, expected) => {
  expect(codes(value, unit, biomarker)).toEqual(expected);
});

test('a warning has the position of its record', () => {
  const record = { biomarker: 'BSP-MN-007', unit: 'mEq/L' };
  expect(
    recordWarnings([
      { ...record, value: 4 },
      { ...record, value: 1.9 },
    ]),
  ).toMatchObject([{ index: 1 }]);
});

test('the bounds are of listed biomarkers in units of the table, with a source', () => {
  for (const { biomarker, unit, low, high, source } of table.usual) {
    expect([biomarker, biomarkerOf(biomarker) === null, ucumOf(unit) ?? unit]).toEqual([biomarker, false, unit]);
    expect(low).toBeLessThan(high);
    expect(Object.keys(stated.sources)).toContain(source);
  }
});

test('every biomarker has bounds, or is listed as one that has none, also in the document', () => {
  const bounded = new Set(table.usual.map(({ biomarker }) => biomarker));
  const isShare = (code: string) =>
    listedUnits(code).some((unit) =>
      [-1, 101].every((number) => isImpossible({ kind: 'number', number, digits: `${number}` }, unit, code)),
    );
  const unbounded = stated.unbounded.flatMap(({ biomarkers }) => biomarkers);
  const codes = taxonomy.categories.flatMap(({ biomarkers }) => biomarkers.map(({ code }) => code));
  expect(codes.filter((code) => !bounded.has(code) && !isShare(code)).sort()).toEqual([...unbounded].sort());
  const document = readFileSync(new URL('../../docs/clinical-data.md', import.meta.url), 'utf8');
  expect(unbounded.filter((code) => !document.includes(code))).toEqual([]);
  expect(Object.keys(stated.sources).filter((source) => !document.includes(`\`${source}\``))).toEqual([]);
});

test('for each biomarker with a unit it is known what a value must be', () => {
  const listed = taxonomy.categories.flatMap(({ biomarkers }) => biomarkers as { code: string; unit?: string }[]);
  const unknown = listed.flatMap(({ code, unit }) =>
    unit === undefined || expectedKind(code) === 'name'
      ? []
      : listedUnits(code).filter((one) => isImpossible({ kind: 'number', number: 1, digits: '1' }, one, code) === null),
  );
  expect(unknown).toEqual([]);
});
