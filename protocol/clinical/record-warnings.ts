import type { SubmittedRecord } from '../records/record.ts';
import type { Json } from '../signing/canonical-json.ts';
import { isImpossible, isNotNumeric, isUsualUnit, unusualBounds } from './plausibility.ts';
import { meaningOf } from './value.ts';

/** What a person should look at in a record that was accepted. The messages are part of the answer of submitRecords. */
export const RECORD_WARNINGS = {
  VALUE_IMPOSSIBLE: 'The value is not possible in this unit.',
  VALUE_UNUSUAL: 'The value is outside of what is usual for this biomarker.',
  VALUE_UNCERTAIN: 'The value is a different number with a decimal comma than with a decimal point.',
  VALUE_NOT_NUMERIC: 'The value is not a number; a number is usual for this biomarker.',
  UNIT_UNUSUAL: 'The unit is not one that is usual for this biomarker.',
} as const;

export type RecordWarningCode = keyof typeof RECORD_WARNINGS;

export interface RecordWarning {
  /** The position of the record in the batch. */
  readonly index: number;
  readonly code: RecordWarningCode;
  readonly message: string;
}

type Measured = Pick<SubmittedRecord, 'biomarker' | 'value' | 'unit'>;

/** What is possible but unusual about records. Protocol §8. */
export function recordWarnings(records: readonly Measured[]): RecordWarning[] {
  const warnings: RecordWarning[] = [];
  const warn = (index: number, code: RecordWarningCode) => {
    warnings.push({ index, code, message: RECORD_WARNINGS[code] });
  };
  records.forEach(({ biomarker, value, unit }, index) => {
    if (!isUsualUnit(biomarker, unit)) warn(index, 'UNIT_UNUSUAL');
    const meaning = meaningOf(value as Json);
    if (meaning.kind === 'uncertain') warn(index, 'VALUE_UNCERTAIN');
    else if (isNotNumeric(meaning, biomarker)) warn(index, 'VALUE_NOT_NUMERIC');
    else if (isImpossible(meaning, unit, biomarker)) warn(index, 'VALUE_IMPOSSIBLE');
    else if (unusualBounds(biomarker, meaning, unit) !== null) warn(index, 'VALUE_UNUSUAL');
  });
  return warnings;
}
