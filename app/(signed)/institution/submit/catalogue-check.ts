import { convert } from '../../../../protocol/clinical/units.ts';
import { listedUnits } from '../../../../protocol/records/taxonomy.ts';
import { listedUnit } from './biomarkers.ts';
import type { RowWarning } from './row-problem.ts';

/** What the catalogue says about the code and the unit of a row. */
export function catalogueWarnings(code: string, unit: string): RowWarning[] {
  const listed = listedUnit(code);
  if (listed === undefined) return [{ kind: 'unlisted' }];
  if (listed === null || unit === '' || listedUnits(code).some((usual) => isKindOf(unit, usual))) return [];
  return [{ kind: 'unit', usual: listed }];
}

/** Whether a unit converts into the usual one; a unit that is in no table, such as points, must be the same text. */
const isKindOf = (unit: string, usual: string): boolean =>
  convert(1, unit, usual) !== null || unit.trim().toLowerCase() === usual.toLowerCase();
