import type { NewRecord } from '../../client/types.ts';
import { DAY_MS } from '../../protocol/days.ts';
import type { PersonKey } from './community.ts';

interface Measure {
  readonly biomarker: string;
  readonly unit: string;
  readonly decimals: number;
  readonly range: Readonly<Record<string, number>>;
  readonly method: string;
}

const MEASURES = {
  glucose: measure('BSP-GL-001', 'mg/dL', 0, { functional_low: 70, functional_high: 99 }, 'Hexokinase'),
  hba1c: measure('BSP-GL-002', '%', 1, { functional_low: 4, functional_high: 5.6 }, 'HPLC'),
  cholesterol: measure('BSP-LP-001', 'mg/dL', 0, { functional_high: 200 }, 'Enzymatic colorimetry'),
  hdl: measure('BSP-LP-002', 'mg/dL', 0, { functional_low: 40 }, 'Homogeneous assay'),
  ldl: measure('BSP-LP-003', 'mg/dL', 0, { optimal_high: 100, functional_high: 130 }, 'Homogeneous assay'),
  triglycerides: measure('BSP-LP-004', 'mg/dL', 0, { functional_high: 150 }, 'Enzymatic colorimetry'),
  hemoglobin: measure('BSP-HM-002', 'g/dL', 1, { functional_low: 12, functional_high: 17.5 }, 'Photometry'),
  vitaminD: measure('BSP-VT-001', 'ng/mL', 0, { optimal_low: 40, optimal_high: 60, deficiency_high: 20 }, 'LC-MS/MS'),
  ferritin: measure('BSP-MN-004', 'ng/mL', 0, { functional_low: 15, functional_high: 300 }, 'Immunoturbidimetry'),
  tsh: measure('BSP-HR-001', 'mIU/L', 2, { functional_low: 0.4, functional_high: 4 }, 'Immunoassay'),
  creatinine: measure('BSP-RN-001', 'mg/dL', 2, { functional_low: 0.6, functional_high: 1.2 }, 'Enzymatic'),
  crp: measure('BSP-IF-001', 'mg/L', 1, { functional_high: 5 }, 'Immunoturbidimetry'),
  restingHeartRate: measure('BSP-DV-002', '/min', 0, { functional_low: 50, functional_high: 90 }, 'Optical sensor'),
  sleep: measure('BSP-DV-015', 'h', 1, { functional_low: 7, functional_high: 9 }, 'Accelerometer'),
  steps: measure('BSP-DV-011', 'steps', 0, { functional_low: 7000 }, 'Accelerometer'),
} as const;

const BLOOD_PRESSURE = measure('BSP-DV-005', 'mmHg', 0, {}, 'Oscillometric cuff');

function measure(
  biomarker: string,
  unit: string,
  decimals: number,
  range: Readonly<Record<string, number>>,
  method: string,
): Measure {
  return { biomarker, unit, decimals, range, method };
}

/** The development of a value over two years: the first and the last measurement, and the spread around the line. */
type Trend = readonly [measure: Measure, first: number, last: number, spread: number];

interface Health {
  readonly laboratory: readonly Trend[];
  readonly device: readonly Trend[];
  readonly systolic: Trend;
  readonly diastolic: Trend;
}

export const MEASURED_PEOPLE = ['ana', 'bruno'] as const satisfies readonly PersonKey[];
export type MeasuredPerson = (typeof MEASURED_PEOPLE)[number];

/** Ana's values improve over the two years; Bruno's glucose and blood pressure slowly rise. */
const HEALTH: Readonly<Record<MeasuredPerson, Health>> = {
  ana: {
    laboratory: [
      [MEASURES.glucose, 106, 91, 4],
      [MEASURES.hba1c, 5.9, 5.3, 0.1],
      [MEASURES.cholesterol, 224, 181, 8],
      [MEASURES.hdl, 47, 58, 3],
      [MEASURES.ldl, 151, 104, 6],
      [MEASURES.triglycerides, 168, 104, 14],
      [MEASURES.hemoglobin, 12.9, 13.4, 0.3],
      [MEASURES.vitaminD, 19, 46, 4],
      [MEASURES.ferritin, 24, 61, 6],
      [MEASURES.tsh, 2.1, 1.9, 0.3],
      [MEASURES.creatinine, 0.74, 0.76, 0.03],
      [MEASURES.crp, 3.8, 1.1, 0.6],
    ],
    device: [
      [MEASURES.restingHeartRate, 71, 60, 3],
      [MEASURES.sleep, 6.3, 7.4, 0.6],
      [MEASURES.steps, 5_200, 9_400, 1_500],
    ],
    systolic: [BLOOD_PRESSURE, 132, 118, 4],
    diastolic: [BLOOD_PRESSURE, 85, 76, 3],
  },
  bruno: {
    laboratory: [
      [MEASURES.glucose, 94, 108, 4],
      [MEASURES.hba1c, 5.4, 5.9, 0.1],
      [MEASURES.cholesterol, 196, 211, 8],
      [MEASURES.hdl, 44, 41, 3],
      [MEASURES.ldl, 121, 136, 6],
      [MEASURES.triglycerides, 139, 162, 14],
      [MEASURES.hemoglobin, 15.1, 14.8, 0.3],
      [MEASURES.vitaminD, 34, 28, 4],
      [MEASURES.ferritin, 142, 155, 12],
      [MEASURES.tsh, 1.6, 1.8, 0.3],
      [MEASURES.creatinine, 0.98, 1.04, 0.03],
      [MEASURES.crp, 1.4, 2.6, 0.6],
    ],
    device: [
      [MEASURES.restingHeartRate, 62, 68, 3],
      [MEASURES.sleep, 7.1, 6.6, 0.6],
      [MEASURES.steps, 8_800, 6_100, 1_500],
    ],
    systolic: [BLOOD_PRESSURE, 121, 133, 4],
    diastolic: [BLOOD_PRESSURE, 78, 84, 3],
  },
};

const VISITS = 8;
const DAYS_BETWEEN_VISITS = 91;
const READINGS = 52;
const DAYS_BETWEEN_READINGS = 14;

/** The laboratory's records of a visit every three months, oldest first. The last visit was a week before `now` (ms). */
export const laboratoryRecords = (person: MeasuredPerson, now: number): NewRecord[] =>
  series(VISITS, DAYS_BETWEEN_VISITS, now - 7 * DAY_MS).flatMap(({ index, progress, at }) =>
    HEALTH[person].laboratory.map((trend, seed) =>
      record(trend[0], valueAt(trend, progress, index * 31 + seed), at, { specimen: 'serum' }),
    ),
  );

/** The wearable's records every two weeks, oldest first. The last one was the day before `now` (ms). */
export const deviceRecords = (person: MeasuredPerson, now: number): NewRecord[] =>
  series(READINGS, DAYS_BETWEEN_READINGS, now - DAY_MS).flatMap(({ index, progress, at }) => {
    const { device, systolic, diastolic } = HEALTH[person];
    const pressure = {
      systolic: valueAt(systolic, progress, index * 13),
      diastolic: valueAt(diastolic, progress, index * 13),
    };
    return [
      ...device.map((trend, seed) => record(trend[0], valueAt(trend, progress, index * 17 + seed), at)),
      record(BLOOD_PRESSURE, pressure, at),
    ];
  });

/** A record that corrects a wrong value by superseding its record. */
export function correction(wrong: NewRecord, recordId: string): NewRecord {
  const { value } = wrong;
  if (typeof value !== 'number') throw new Error('Only numbers can be corrected.');
  return { ...wrong, value: value + 3, supersedes: recordId };
}

function series(count: number, daysApart: number, last: number) {
  const day = Math.floor(last / DAY_MS) * DAY_MS;
  return Array.from({ length: count }, (_, index) => ({
    index,
    /** From 0, the oldest, to 1, the newest. */
    progress: index / (count - 1),
    at: new Date(day - (count - 1 - index) * daysApart * DAY_MS).toISOString(),
  }));
}

function record(
  { biomarker, unit, range, method }: Measure,
  value: NewRecord['value'],
  at: string,
  source = {},
): NewRecord {
  const ranged = Object.keys(range).length > 0 && { ref_range: { ...range, population: 'adults' } };
  return { biomarker, value, unit, collected_at: at, ...ranged, confidence: 0.98, source: { method, ...source } };
}

/** Deterministic: the noise is the sum of two sines. */
function valueAt([{ decimals }, first, last, spread]: Trend, progress: number, seed: number): number {
  const noise = (Math.sin(seed * 12.9898) + Math.sin(seed * 4.1414)) / 2;
  return Number((first + (last - first) * progress + spread * noise).toFixed(decimals));
}
