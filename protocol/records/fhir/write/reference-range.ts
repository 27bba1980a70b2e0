import { assessRecord, type Interpretation } from '../../../clinical/assess.ts';
import { referenceRange } from '../../../clinical/ranges.ts';
import type { Json } from '../../../signing/canonical-json.ts';
import type { BioRecord } from '../../record.ts';
import type { FhirObject } from '../fhir-json.ts';
import { hl7, RANGE_SYSTEM } from '../systems.ts';
import { fhirText } from './primitives.ts';
import { quantity } from './quantity.ts';

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' ? fhirText(value) : undefined;

/**
 * Observation.referenceRange: each range with a number or a text (obs-3), numbers as quantities, texts as submitted.
 */
export function referenceRanges(record: Pick<BioRecord, 'ref_range' | 'unit'>): readonly FhirObject[] | undefined {
  const range = referenceRange(record);
  const ownUnit = textOf(record.ref_range?.unit);
  const population = textOf(record.ref_range?.population);
  const stated = (range?.ranges ?? []).flatMap(({ name, bounds, text: submitted }): FhirObject[] => {
    const text = submitted === null ? undefined : fhirText(submitted);
    if (!range || (!bounds && text === undefined)) return [];
    const [low, high] = [bounds?.low ?? null, bounds?.high ?? null];
    return [
      {
        low: low === null ? undefined : quantity(low, range.unit),
        high: high === null ? undefined : quantity(high, range.unit),
        type: { coding: [{ system: RANGE_SYSTEM, code: name }], text: name },
        appliesTo: population === undefined ? undefined : [{ text: population }],
        text: text !== undefined && ownUnit !== undefined && !text.includes(ownUnit) ? `${text} ${ownUnit}` : text,
      },
    ];
  });
  return stated.length > 0 ? stated : undefined;
}

const DISPLAY: Readonly<Record<Interpretation, string>> = {
  LL: 'Critical low',
  L: 'Low',
  N: 'Normal',
  H: 'High',
  HH: 'Critical high',
};

/** Observation.interpretation; undefined where the value has none. */
export function interpretation(
  record: Pick<BioRecord, 'value' | 'ref_range' | 'unit'>,
): readonly FhirObject[] | undefined {
  const { interpretation: code } = assessRecord(record);
  if (code === null) return undefined;
  return [{ coding: [{ system: hl7('v3-ObservationInterpretation'), code, display: DISPLAY[code] }] }];
}
