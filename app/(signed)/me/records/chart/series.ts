import { collectedTime } from '../../../../../protocol/clinical/collected.ts';
import { rankIn } from '../../../../../protocol/clinical/course.ts';
import { convert } from '../../../../../protocol/clinical/units.ts';
import { numberIn } from '../../../../../protocol/clinical/value.ts';
import type { BioRecord } from '../../../../../protocol/records/record.ts';

/** A record on the time axis. */
export interface Mark {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly record: BioRecord;
}

export interface Point extends Mark {
  /** In the unit of the series. */
  readonly value: number;
}

/** The records in one unit, or in units that convert to it; the oldest first. */
export interface Series {
  /** Of the latest. */
  readonly unit: string;
  readonly current: readonly Point[];
  readonly superseded: readonly Point[];
  /** Current records without a number, such as `<0.5`. */
  readonly undrawn: readonly Mark[];
  /** Those of them that are limits, with the number that they name. */
  readonly limits: readonly Point[];
  /** The latest current record, drawn or not; null if all are superseded. */
  readonly latest: BioRecord | null;
}

const oldestFirst = (one: Mark, other: Mark): number => one.at - other.at;
const isActive = ({ record }: Mark): boolean => record.status === 'ACTIVE';

/** The records of a biomarker by unit: units that do not convert never share an axis. The series with the most numbers first. */
export function seriesOf(records: readonly BioRecord[]): Series[] {
  const marks = records.map((record): Mark => ({ at: collectedTime(record.collected_at), record })).sort(oldestFirst);
  const groups: { marks: Mark[]; converts: Map<string, boolean> }[] = [];
  for (const mark of marks) {
    const { biomarker, unit } = mark.record;
    const own = groups.find(({ marks: [first], converts }) => {
      if (!converts.has(unit)) converts.set(unit, convert(1, unit, first?.record.unit ?? unit, biomarker) !== null);
      return converts.get(unit);
    });
    if (own) own.marks.push(mark);
    else groups.push({ marks: [mark], converts: new Map([[unit, true]]) });
  }
  return groups
    .map(({ marks }) => inUnitOfLatest(marks))
    .filter(({ current, superseded }) => current.length + superseded.length > 0)
    .sort((one, other) => other.current.length - one.current.length || one.unit.localeCompare(other.unit));
}

function inUnitOfLatest(marks: readonly Mark[]): Series {
  const latest = marks.findLast(isActive)?.record ?? null;
  const unit = (latest ?? marks.at(-1)?.record)?.unit ?? '';
  const points = marks.flatMap((mark): Point[] => {
    const number = numberIn(mark.record.value);
    const value = number === null ? null : convert(number, mark.record.unit, unit, mark.record.biomarker);
    return value === null ? [] : [{ ...mark, value }];
  });
  const drawn = new Set(points.map(({ record }) => record));
  const undrawn = marks.filter((mark) => isActive(mark) && !drawn.has(mark.record));
  return {
    unit,
    current: points.filter(isActive),
    superseded: points.filter((point) => !isActive(point)),
    undrawn,
    limits: undrawn.flatMap((mark): Point[] => {
      const value = rankIn(mark.record, unit);
      return value === null ? [] : [{ ...mark, value }];
    }),
    latest,
  };
}

export interface Extremes {
  readonly lowest: Point;
  readonly highest: Point;
}

/** Null without points. */
export function extremesOf(points: readonly Point[]): Extremes | null {
  const [first] = points;
  if (!first) return null;
  let [lowest, highest] = [first, first];
  for (const point of points) {
    if (point.value < lowest.value) lowest = point;
    if (point.value > highest.value) highest = point;
  }
  return { lowest, highest };
}
