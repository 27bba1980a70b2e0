import type { BioRecord } from '../../../../protocol/records/record.ts';
import { deviationsOf, type RangePosition, type ReferenceRange, referenceRange } from '../../../_ui/reference-range.ts';
import { numberIn } from '../../../_ui/value.ts';

type Measured = Pick<BioRecord, 'value' | 'unit' | 'ref_range'>;

/** The deviations of a value from the ranges that were stated with it. */
export function ownDeviations(record: Measured): readonly RangePosition[] {
  const value = numberIn(record.value);
  return value === null ? [] : deviationsOf(value, referenceRange(record));
}

/** The deviations of a value from the ranges of one institution. */
export interface StatedDeviations {
  /** The record that the institution stated the ranges with. */
  readonly record: BioRecord;
  readonly range: ReferenceRange;
  readonly deviations: readonly RangePosition[];
}

/**
 * The deviations of a record from the ranges of every institution: those stated with it, then the newest of each other institution,
 * in the same unit. Without the institutions whose ranges it does not deviate from.
 */
export function statedDeviations(record: BioRecord, all: readonly BioRecord[]): StatedDeviations[] {
  const value = numberIn(record.value);
  if (value === null) return [];
  const newestFirst = all
    .filter(({ status, unit }) => status === 'ACTIVE' && unit === record.unit)
    .toSorted((one, other) => other.collected_at.localeCompare(one.collected_at));
  const byInstitution = new Map<string, StatedDeviations>();
  for (const stated of [record, ...newestFirst]) {
    const range = referenceRange(stated);
    if (!range || byInstitution.has(stated.ieo_id)) continue;
    byInstitution.set(stated.ieo_id, { record: stated, range, deviations: deviationsOf(value, range) });
  }
  return [...byInstitution.values()].filter(({ deviations }) => deviations.length > 0);
}
