import type { BioRecord } from '../../../../../protocol/records/record.ts';
import { numberIn } from '../../../../_ui/value.ts';
import { groupBy } from '../group-by.ts';

export interface Point {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
  readonly record: BioRecord;
}

/** What one chart shows: numbers in one unit, the oldest first. */
export interface Series {
  readonly unit: string;
  readonly guardiansStatus: readonly Point[];
  readonly superseded: readonly Point[];
}

const oldestFirst = (one: Point, other: Point): number => one.at - other.at;

/** The numbers of a biomarker, unit by unit, for units never share an axis; the unit with most of them first. */
export function seriesOf(records: readonly BioRecord[]): Series[] {
  const points = records.flatMap((record): Point[] => {
    const value = numberIn(record.value);
    return value === null ? [] : [{ at: Date.parse(record.collected_at), value, record }];
  });
  return [...groupBy(points, ({ record }) => record.unit)]
    .map(([unit, own]) => {
      const [guardiansStatus, superseded] = [true, false].map((stands) =>
        own.filter(({ record }) => (record.status === 'ACTIVE') === stands).sort(oldestFirst),
      );
      return { unit, guardiansStatus: guardiansStatus ?? [], superseded: superseded ?? [] };
    })
    .sort(
      (one, other) => other.guardiansStatus.length - one.guardiansStatus.length || one.unit.localeCompare(other.unit),
    );
}

export interface Extremes {
  readonly lowest: Point;
  readonly highest: Point;
  readonly first: Point;
  readonly latest: Point;
}

/** Null where there is no point. */
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
