import type { BioRecord } from '../../../../../protocol/records/record.ts';
import { numberIn } from '../../../../_ui/value.ts';
import { groupBy } from '../group-by.ts';

export interface Point {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
  readonly record: BioRecord;
}

/** The numbers in one unit, the oldest first. */
export interface Series {
  readonly unit: string;
  readonly current: readonly Point[];
  readonly superseded: readonly Point[];
}

const oldestFirst = (one: Point, other: Point): number => one.at - other.at;

/** The numbers of a biomarker by unit, because units never share an axis; the unit with the most numbers first. */
export function seriesOf(records: readonly BioRecord[]): Series[] {
  const points = records.flatMap((record): Point[] => {
    const value = numberIn(record.value);
    return value === null ? [] : [{ at: Date.parse(record.collected_at), value, record }];
  });
  return [...groupBy(points, ({ record }) => record.unit)]
    .map(([unit, own]) => {
      const [current, superseded] = [true, false].map((isActive) =>
        own.filter(({ record }) => (record.status === 'ACTIVE') === isActive).sort(oldestFirst),
      );
      return { unit, current: current ?? [], superseded: superseded ?? [] };
    })
    .sort((one, other) => other.current.length - one.current.length || one.unit.localeCompare(other.unit));
}

export interface Extremes {
  readonly lowest: Point;
  readonly highest: Point;
  readonly first: Point;
  readonly latest: Point;
}

/** Null without points. */
export function extremesOf(points: readonly Point[]): Extremes | null {
  const [first, latest] = [points[0], points.at(-1)];
  if (!first || !latest) return null;
  let [lowest, highest] = [first, first];
  for (const point of points) {
    if (point.value < lowest.value) lowest = point;
    if (point.value > highest.value) highest = point;
  }
  return { lowest, highest, first, latest };
}
