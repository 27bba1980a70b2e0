import { listedUnit } from './biomarkers.ts';
import type { RowWarning } from './row-problem.ts';

/** What the catalogue says about the code and the unit of a row. */
export function catalogueWarnings(code: string, unit: string): RowWarning[] {
  const listed = listedUnit(code);
  if (listed === undefined) return [{ kind: 'unlisted' }];
  if (listed === null || unit === '' || alternatives(listed).includes(plain(unit))) return [];
  return [{ kind: 'unit', usual: listed }];
}

/** The catalogue separates units of one biomarker by a slash between spaces. */
const alternatives = (units: string): string[] => units.split(' / ').map(plain);

/** Spellings that mean the same unit: µ or u, IU or UI, ³ or ^3, in any case. */
const plain = (unit: string): string =>
  unit
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s^*]/g, '')
    .replace(/^x10/, '10')
    .replaceAll('μ', 'u')
    .replace(/(ui|iu)(?=\/|$)/, 'iu');
