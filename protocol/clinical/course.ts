import type { BioRecord } from '../records/record.ts';
import { convert } from './units.ts';
import { meaningOf } from './value.ts';
import { measuredText } from './value-text.ts';

type Measured = Pick<BioRecord, 'value' | 'unit'> & Partial<Pick<BioRecord, 'biomarker'>>;

export type Direction = 'up' | 'down' | 'same';

/** The number of a value in a unit, or the one that a limit such as `<0.5` names; null for any other value or unit. */
export function rankIn({ biomarker, value, unit }: Measured, other: string): number | null {
  const read = meaningOf(value);
  return read.kind === 'number' || read.kind === 'limit' ? convert(read.number, unit, other, biomarker) : null;
}

/** The side of its number on which a limit is: -1 below, 1 above, 0 for a number. */
function sideOf(record: Measured): -1 | 0 | 1 {
  const read = meaningOf(record.value);
  if (read.kind !== 'limit') return 0;
  return read.comparator.startsWith('<') ? -1 : 1;
}

/** Whether a value rose or fell, in any units that convert; null where that is open, as from `<5` to 3 or from a text to a number. */
export function directionOf(before: Measured, now: Measured): Direction | null {
  if (measuredText(before) === measuredText(now)) return 'same';
  const [from, to] = [rankIn(before, now.unit), rankIn(now, now.unit)];
  if (from === null || to === null) return null;
  const [fromSide, toSide] = [sideOf(before), sideOf(now)];
  if (from === to) return fromSide === 0 && toSide === 0 ? 'same' : null;
  if (to > from) return fromSide <= 0 && toSide >= 0 ? 'up' : null;
  return fromSide >= 0 && toSide <= 0 ? 'down' : null;
}
