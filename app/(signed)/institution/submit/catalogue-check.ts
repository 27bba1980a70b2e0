import { isUsualUnit } from '../../../../protocol/clinical/plausibility.ts';
import { listedUnit } from './biomarkers.ts';
import type { RowWarning } from './row-problem.ts';

/** What the catalogue says about the code and the unit of a row. */
export function catalogueWarnings(code: string, unit: string): RowWarning[] {
  const listed = listedUnit(code);
  if (listed === undefined) return [{ kind: 'unlisted' }];
  return listed === null || unit === '' || isUsualUnit(code, unit) ? [] : [{ kind: 'unit', usual: listed }];
}
