import { expect, test } from 'vitest';
import { byKind } from '../_ui/records/group-records.ts';
import { bioRecord } from '../_ui/records/test-records.ts';
import { kindOf, namesOf, setApart } from './comparison.ts';
import type { ViewedRecord } from './contents.ts';
import type { Verdict } from './verdict.ts';

const PROOF = {} as NonNullable<ViewedRecord['proof']>;
const viewed = (members: Partial<ViewedRecord> = {}): ViewedRecord => ({
  record: bioRecord(),
  name: null,
  subject: null,
  proof: PROOF,
  doubt: null,
  problems: [],
  warnings: [],
  stated: [],
  ...members,
});
const ALL = ['proved', 'checking', 'unchecked', 'none', 'altered', 'missing'] as const;
const comparedOf = (...states: Verdict['state'][]) => {
  const records = states.map(() => viewed());
  const { compared } = setApart(
    records,
    states.map((state) => ({ state }) as Verdict),
  );
  return states.filter((_, index) => records[index] && compared.includes(records[index]));
};

test('only the most certain results are compared with each other, and the others are set apart', () => {
  expect(comparedOf(...ALL)).toEqual(['proved', 'checking']);
  expect(comparedOf(...ALL.slice(2))).toEqual(['unchecked']);
  expect(comparedOf(...ALL.slice(3))).toEqual(['none', 'altered', 'missing']);
});

test('an added result without a proof does not hide a proved one that is critical', () => {
  const ref_range = { functional_low: 20, functional_high: 60, critical_high: 100 };
  const critical = viewed({ record: bioRecord({ value: 120, ref_range }) });
  const added = viewed({ proof: null, record: bioRecord({ value: 30, ref_range, collected_at: '2026-11-27' }) });
  const { compared, apart } = setApart([critical, added], [{ state: 'proved' } as Verdict, { state: 'none' }]);
  const [group] = byKind(compared.map(({ record }) => record)).outOfRange;
  expect([group?.latest, apart]).toEqual([critical.record, [added]]);
});

test('a result of others that may mean something else is not compared', () => {
  const problems = (['modifier', 'form', 'unit', 'status', 'absent'] as const).map((kind) =>
    viewed({ proof: null, problems: [kind] }),
  );
  const { compared } = setApart(
    problems,
    problems.map(() => ({ state: 'none' })),
  );
  expect(compared.flatMap((one) => one.problems)).toEqual(['status', 'absent']);
});

test('results are of one kind with one code and one person, and with one name where only the file names the code', () => {
  const record = (biomarker: string, beo_id = '') => bioRecord({ biomarker, beo_id });
  const ana = { id: null, name: 'Ana', domain: null, birthDate: null };
  const kinds = [
    viewed({ record: record('BSP-VT-001'), name: 'A', proof: null }),
    viewed({ record: record('BSP-VT-001'), name: 'B' }),
    viewed({ record: record('BSP-VT-001'), subject: ana }),
    viewed({ record: record('BSP-VT-001', 'Patient/2') }),
    viewed({ record: record('K'), name: 'Potassium', proof: null }),
    viewed({ record: record('K'), name: 'Vitamin K', proof: null }),
  ].map(kindOf);
  expect(kinds[0]).toBe(kinds[1]);
  expect(new Set(kinds).size).toBe(5);
});

test('a file cannot rename a code that was signed, and what it calls a result is said to be its word', () => {
  const nameOf = (code: string) => (code === 'BSP-VT-001' ? 'Vitamina D' : code);
  const names = (biomarker: string, name: string | null, proof: ViewedRecord['proof']) =>
    namesOf({ record: { biomarker }, name, proof }, nameOf);
  expect(names('BSP-HM-999', 'Glucose', PROOF)).toEqual({ name: 'BSP-HM-999', inFile: 'Glucose' });
  expect(names('BSP-HM-999', 'Glucose', null)).toEqual({ name: 'Glucose', inFile: null });
  expect(names('BSP-VT-001', 'Glucose', PROOF)).toEqual({ name: 'Vitamina D', inFile: null });
  expect(names('BSP-VT-001', '25-OH-D', null)).toEqual({ name: 'Vitamina D', inFile: '25-OH-D' });
  expect(names('', null, null)).toEqual({ name: '–', inFile: null });
});
