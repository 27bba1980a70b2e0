import type { BioRecord } from '../../../../../protocol/records/record.ts';
import type { Json } from '../../../../../protocol/signing/canonical-json.ts';
import { ucumOf } from './codes.ts';
import type { FhirObject } from './fhir-json.ts';
import { fhirText } from './primitives.ts';
import { quantity } from './quantity.ts';
import { hl7, RANGE_SYSTEM } from './systems.ts';

const RANGES = ['optimal', 'functional', 'deficiency', 'toxicity', 'critical'] as const;
type RangeName = (typeof RANGES)[number];

interface Range {
  readonly low: number | null;
  readonly high: number | null;
  readonly text: string | undefined;
}

const numberOf = (value: Json | undefined): number | null => (typeof value === 'number' ? value : null);
const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? fhirText(value) : undefined;

function rangesOf({ ref_range, unit }: Pick<BioRecord, 'ref_range' | 'unit'>) {
  const given = ref_range ?? {};
  const range = (name: RangeName): Range => ({
    low: numberOf(given[`${name}_low`]),
    high: numberOf(given[`${name}_high`]),
    text: textOf(given[name]),
  });
  return { range, unit: textOf(given.unit) ?? unit, ownUnit: textOf(given.unit), population: textOf(given.population) };
}

/**
 * Observation.referenceRange: each range with a number or a text (obs-3), numbers as quantities, texts as submitted.
 */
export function referenceRanges(record: Pick<BioRecord, 'ref_range' | 'unit'>): readonly FhirObject[] | undefined {
  const { range, unit, ownUnit, population } = rangesOf(record);
  const stated = RANGES.flatMap((name): FhirObject[] => {
    const { low, high, text } = range(name);
    if (low === null && high === null && text === undefined) return [];
    return [
      {
        low: low === null ? undefined : quantity(low, unit),
        high: high === null ? undefined : quantity(high, unit),
        type: { coding: [{ system: RANGE_SYSTEM, code: name }], text: name },
        appliesTo: population === undefined ? undefined : [{ text: population }],
        text: text !== undefined && ownUnit !== undefined && !text.includes(ownUnit) ? `${text} ${ownUnit}` : text,
      },
    ];
  });
  return stated.length > 0 ? stated : undefined;
}

type Verdict = 'LL' | 'L' | 'N' | 'H' | 'HH';
const DISPLAY: Readonly<Record<Verdict, string>> = {
  LL: 'Critical low',
  L: 'Low',
  N: 'Normal',
  H: 'High',
  HH: 'Critical high',
};

/**
 * Observation.interpretation from the functional range, deficiency and toxicity limits and critical values. The optimal
 * range is a goal, so it is not used. Undefined if they disagree or have another unit.
 */
export function interpretation(
  value: number,
  record: Pick<BioRecord, 'ref_range' | 'unit'>,
): readonly FhirObject[] | undefined {
  const { range, unit } = rangesOf(record);
  if (!sameUnit(unit, record.unit)) return undefined;
  const criticalVerdict = critical(value, range('critical'));
  const verdicts = new Set(
    [
      within(value, range('functional')),
      deficient(value, range('deficiency')),
      toxic(value, range('toxicity')),
      criticalVerdict && MILDER[criticalVerdict],
    ].flatMap((verdict) => verdict ?? []),
  );
  const [agreed] = verdicts;
  if (agreed === undefined || verdicts.size > 1) return undefined;
  const verdict: Verdict = criticalVerdict ?? agreed;
  return [{ coding: [{ system: hl7('v3-ObservationInterpretation'), code: verdict, display: DISPLAY[verdict] }] }];
}

const sameUnit = (one: string, other: string): boolean =>
  one === other || (ucumOf(one) !== undefined && ucumOf(one) === ucumOf(other));

function within(value: number, { low, high }: Range): Verdict | null {
  if ((low === null && high === null) || (low !== null && high !== null && low > high)) return null;
  if (low !== null && value < low) return 'L';
  return high !== null && value > high ? 'H' : 'N';
}

const MILDER = { LL: 'L', HH: 'H' } as const;

/** Critical values require immediate action beyond them; between them they mean nothing. */
function critical(value: number, { low, high }: Range): keyof typeof MILDER | null {
  if (low !== null && high !== null && low > high) return null;
  if (low !== null && value < low) return 'LL';
  return high !== null && value > high ? 'HH' : null;
}

const deficient = (value: number, { low, high }: Range): Verdict | null =>
  high !== null && value < high && (low === null || value >= low) ? 'L' : null;

const toxic = (value: number, { low, high }: Range): Verdict | null =>
  low !== null && value > low && (high === null || value <= high) ? 'H' : null;
