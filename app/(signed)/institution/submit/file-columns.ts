/** The required columns of a CSV file of records. Every column is also a field of the form. */
export const REQUIRED_COLUMNS = ['biomarker', 'value', 'unit', 'collected_at'] as const;

const RANGE_COLUMNS = [
  'ref_low',
  'ref_high',
  'optimal_low',
  'optimal_high',
  'deficiency_low',
  'deficiency_high',
  'toxicity_low',
  'toxicity_high',
  'critical_low',
  'critical_high',
] as const;

export const COLUMNS = [
  ...REQUIRED_COLUMNS,
  'confidence',
  ...RANGE_COLUMNS,
  'ref_range',
  'population',
  'method',
  'equipment',
  'firmware',
  'operator',
  'supersedes',
] as const;

export type Column = (typeof COLUMNS)[number];

/** The columns of a file: the person that a record is about, the record, and a comparator that stands apart from its value. */
export const FILE_COLUMNS = ['patient', ...COLUMNS, 'comparator'] as const;
export type FileColumn = (typeof FILE_COLUMNS)[number];
export type RangeColumn = (typeof RANGE_COLUMNS)[number];

/** The columns of numbers alone. */
export const NUMBER_COLUMNS = ['value', 'confidence', ...RANGE_COLUMNS] as const;
/** The columns of bounds, whose decimal mark those of values do not prove. */
export const BOUND_COLUMNS = [...RANGE_COLUMNS, 'ref_range'] as const;

/** The texts of one row by column; an absent column is empty. */
export type Cells = Readonly<Partial<Record<FileColumn, string>>>;

/** The member of `ref_range` for each column; the range that laboratories print is the functional one. Protocol §8. */
export const RANGE_MEMBERS: Readonly<Record<RangeColumn, string>> = {
  ref_low: 'functional_low',
  ref_high: 'functional_high',
  optimal_low: 'optimal_low',
  optimal_high: 'optimal_high',
  deficiency_low: 'deficiency_low',
  deficiency_high: 'deficiency_high',
  toxicity_low: 'toxicity_low',
  toxicity_high: 'toxicity_high',
  critical_low: 'critical_low',
  critical_high: 'critical_high',
};

export const SOURCE_COLUMNS = ['method', 'equipment', 'firmware', 'operator'] as const;
