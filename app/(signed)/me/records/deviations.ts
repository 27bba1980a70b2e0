import { assess, type RangePosition } from '../../../../protocol/clinical/assess.ts';
import { collectedTime } from '../../../../protocol/clinical/collected.ts';
import { type ReferenceRange, referenceRange } from '../../../../protocol/clinical/ranges.ts';
import { isSameUnit } from '../../../../protocol/clinical/units.ts';
import { meaningOf } from '../../../../protocol/clinical/value.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';

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
  const value = meaningOf(record.value);
  const newestFirst = all
    .filter(({ status, unit }) => status === 'ACTIVE' && isSameUnit(unit, record.unit))
    .toSorted((one, other) => collectedTime(other.collected_at) - collectedTime(one.collected_at));
  const byInstitution = new Map<string, StatedDeviations>();
  for (const stated of [record, ...newestFirst]) {
    const range = referenceRange(stated);
    if (!range || byInstitution.has(stated.ieo_id)) continue;
    byInstitution.set(stated.ieo_id, {
      record: stated,
      range,
      deviations: assess(value, record.unit, range).deviations,
    });
  }
  return [...byInstitution.values()].filter(({ deviations }) => deviations.length > 0);
}
