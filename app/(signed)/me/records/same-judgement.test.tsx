import { renderToStaticMarkup } from 'react-dom/server';
import { IntlProvider } from 'use-intl/react';
import { describe, expect, test } from 'vitest';
import { messagesIn } from '../../../../messages/messages.ts';
import { assessRecord } from '../../../../protocol/clinical/assess.ts';
import { referenceRange } from '../../../../protocol/clinical/ranges.ts';
import { convert } from '../../../../protocol/clinical/units.ts';
import { numberIn } from '../../../../protocol/clinical/value.ts';
import { measuredText } from '../../../../protocol/clinical/value-text.ts';
import { fhirErrors } from '../../../../protocol/records/fhir/test-fhir-errors.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { exportedRecord } from '../../../../protocol/records/test-exported-record.ts';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import { exportOf } from '../../../../server/features/records/formats/test-export.ts';
import { InterpretationFlag } from '../../../_ui/interpretation-flag.tsx';
import { recordsCsv } from '../../institution/read/records-csv.ts';
import { worstDeviation } from './chart/draw-marks.ts';
import { seriesOf } from './chart/series.ts';

type Range = Record<string, Json> | null;

const flagOf = (record: BioRecord): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" timeZone="UTC" messages={messagesIn('en')}>
      <InterpretationFlag record={record} />
    </IntlProvider>,
  ).replace(/<[^>]*>/g, '');

function chartOf(record: BioRecord) {
  const [series] = seriesOf([record]);
  const { name, side } = worstDeviation(record) ?? {};
  return { drawn: series?.current[0]?.value ?? null, mark: name ? `${side} ${name}` : null };
}

/** The last cell of the only row. */
const interpretationInCsv = (csv: string): string => csv.trimEnd().split(',').at(-1) ?? '';

interface Observed {
  readonly interpretation?: [{ coding: [{ code: string }] }];
  readonly valueQuantity?: { value: number; comparator?: string; unit: string; code?: string };
  readonly referenceRange?: { low?: { value: number; unit: string }; high?: { value: number }; text?: string }[];
}

function fhirOf(exported: ReturnType<typeof exportedRecord>): Observed {
  const { entry }: { entry: { resource: { resourceType: string } & Observed }[] } = JSON.parse(
    exportOf('FHIR_R4', [exported]),
  );
  const found = entry.find(({ resource }) => resource.resourceType === 'Observation');
  if (!found) throw new Error('The Bundle has no Observation.');
  return found.resource;
}

const POTASSIUM = { functional_low: 3.5, functional_high: 5.1, critical_low: 2.5, critical_high: 6.5 };
const VITAMIN_D = { optimal_low: 40, optimal_high: 60, deficiency_high: 20, toxicity_low: 150 };
const GLUCOSE = { functional_low: 70, functional_high: 99, unit: 'mg/dL' };

type Case = readonly [
  value: Json,
  unit: string,
  range: Range,
  expected: { text: string; flag: string; code: string; drawn: number | null; mark: string | null; quantity?: Json },
];

const CASES: readonly Case[] = [
  [
    1.9,
    'mmol/L',
    POTASSIUM,
    { text: '1.9 mmol/L', flag: 'Critically low', code: 'LL', drawn: 1.9, mark: 'below critical' },
  ],
  [2.5, 'mmol/L', POTASSIUM, { text: '2.5 mmol/L', flag: 'Low', code: 'L', drawn: 2.5, mark: 'below functional' }],
  ['4.10', 'mmol/L', POTASSIUM, { text: '4.10 mmol/L', flag: 'In range', code: 'N', drawn: 4.1, mark: null }],
  [
    '6.51',
    'mmol/L',
    POTASSIUM,
    { text: '6.51 mmol/L', flag: 'Critically high', code: 'HH', drawn: 6.51, mark: 'above critical' },
  ],
  [
    '<2.5',
    'mmol/L',
    POTASSIUM,
    { text: '<2.5 mmol/L', flag: 'Critically low', code: 'LL', drawn: null, mark: 'below critical' },
  ],
  ['<3.6', 'mmol/L', POTASSIUM, { text: '<3.6 mmol/L', flag: 'Limit, not certain', code: '', drawn: null, mark: null }],
  ['3.6-4.8', 'mmol/L', POTASSIUM, { text: '3.6-4.8 mmol/L', flag: 'In range', code: 'N', drawn: null, mark: null }],
  [
    '4,100',
    'mmol/L',
    POTASSIUM,
    { text: '4,100 mmol/L', flag: 'Two readings possible', code: '', drawn: null, mark: null },
  ],
  [
    'haemolysed',
    'mmol/L',
    POTASSIUM,
    { text: 'haemolysed mmol/L', flag: 'Not a number', code: '', drawn: null, mark: null },
  ],
  [
    4.1,
    'mmol/L',
    { ...POTASSIUM, unit: 'mEq/L' },
    { text: '4.1 mmol/L', flag: 'Range in another unit', code: '', drawn: 4.1, mark: null },
  ],
  [12, 'ng/mL', VITAMIN_D, { text: '12 ng/mL', flag: 'Low', code: 'L', drawn: 12, mark: 'within deficiency' }],
  [42.5, 'ng/mL', VITAMIN_D, { text: '42.5 ng/mL', flag: 'Optimal', code: '', drawn: 42.5, mark: null }],
  [30, 'ng/mL', VITAMIN_D, { text: '30 ng/mL', flag: 'below optimal', code: '', drawn: 30, mark: 'below optimal' }],
  [200, 'ng/mL', VITAMIN_D, { text: '200 ng/mL', flag: 'High', code: 'H', drawn: 200, mark: 'within toxicity' }],
  [1.12, 'g/L', GLUCOSE, { text: '1.12 g/L', flag: 'High', code: 'H', drawn: 1.12, mark: 'above functional' }],
  [
    5.6,
    '%',
    { functional: 'below 5.7 %' },
    { text: '5.6 %', flag: 'No normal range stated', code: '', drawn: 5.6, mark: null },
  ],
  [
    30,
    'mg/dL',
    { functional_high: 99, critical_low: 50 },
    { text: '30 mg/dL', flag: 'Critically low', code: 'LL', drawn: 30, mark: 'below critical' },
  ],
  [
    { systolic: 132, diastolic: 84 },
    'mmHg',
    null,
    { text: '132/84 mmHg', flag: 'No normal range stated', code: '', drawn: null, mark: null },
  ],
];

describe('flag, chart, table, CSV and FHIR have the same judgement', () => {
  test.each(CASES)('of %j %s against %j', (value, unit, ref_range, expected) => {
    const exported = exportedRecord({ value, unit, ref_range });
    const { record } = exported;
    const { text, flag, code, drawn, mark } = expected;
    expect({ text: measuredText(record), flag: flagOf(record), ...chartOf(record) }).toEqual({
      text,
      flag,
      drawn,
      mark,
    });
    expect(interpretationInCsv(recordsCsv([record]))).toBe(code);
    expect(interpretationInCsv(exportOf('CSV', [exported]))).toBe(code);

    const { interpretation, valueQuantity, referenceRange: ranges } = fhirOf(exported);
    expect(interpretation?.[0].coding[0].code ?? '').toBe(code);
    if (drawn !== null) expect(valueQuantity).toMatchObject({ value: drawn, unit });
    expect(valueQuantity?.comparator).toBe(typeof value === 'string' && value.startsWith('<') ? '<' : undefined);
    const stated = referenceRange(record)?.ranges ?? [];
    expect(ranges?.map(({ low, high, text }) => [low?.value ?? null, high?.value ?? null, text ?? null]) ?? []).toEqual(
      stated.map(({ bounds, text }) => [bounds?.low ?? null, bounds?.high ?? null, text]),
    );
  });

  test('in FHIR that two validators accept', () => {
    const exported = CASES.map(([value, unit, ref_range]) => exportedRecord({ value, unit, ref_range }));
    expect(exported).toHaveLength(18);
    expect(fhirErrors(JSON.parse(exportOf('FHIR_R4', exported)))).toEqual([]);
  });

  test.each(CASES.filter(([value]) => numberIn(value) !== null))(
    'of %j %s in every unit that converts',
    (value, unit, range) => {
      for (const other of ['mol/L', 'umol/L', 'ug/L', 'g/dL', 'pg/mL', 'mg/L', 'L/L']) {
        const converted = convert(numberIn(value) ?? 0, unit, other);
        if (converted === null) continue;
        // The range keeps its own unit.
        const ref_range = range && { unit, ...range };
        const [own, inOther] = [
          exportedRecord({ value, unit, ref_range }),
          exportedRecord({ value: converted, unit: other, ref_range }),
        ];
        expect(assessRecord(inOther.record)).toEqual(assessRecord(own.record));
        expect(fhirOf(inOther).interpretation).toEqual(fhirOf(own).interpretation);
        expect([flagOf(inOther.record), worstDeviation(inOther.record)]).toEqual([
          flagOf(own.record),
          worstDeviation(own.record),
        ]);
      }
    },
  );
});
