import { assessRecord, severityOf } from '../../../protocol/clinical/assess.ts';
import { parseCollected } from '../../../protocol/clinical/collected.ts';
import { type Direction, directionOf } from '../../../protocol/clinical/course.ts';
import { convert } from '../../../protocol/clinical/units.ts';
import { numberIn } from '../../../protocol/clinical/value.ts';
import type { BioRecord } from '../../../protocol/records/record.ts';
import { CATEGORIES } from '../../../protocol/records/taxonomy.ts';
import { groupBy } from './group-by.ts';

/** The latest value compared with the one before it. */
export interface Trend {
  /** Null where it is open, as for texts. */
  readonly direction: Direction | null;
  readonly previous: BioRecord;
}

export interface BiomarkerGroup {
  /** What its records have in common: the biomarker, or another key. */
  readonly code: string;
  /** The newest first, by collection time, and last what has none; includes superseded ones. */
  readonly records: readonly BioRecord[];
  /** The newest that is not superseded; null if there is none with a time and a value. */
  readonly latest: BioRecord | null;
  /** What may be the current value: the latest, and all without a time. */
  readonly current: readonly BioRecord[];
  /** Null for a single value. */
  readonly trend: Trend | null;
  /** The last numbers, in the unit of the latest, the oldest first. */
  readonly course: readonly number[];
}

export interface CategoryGroup {
  readonly category: string;
  readonly biomarkers: readonly BiomarkerGroup[];
}

const MAX_COURSE = 30;

const isDated = ({ collected_at }: BioRecord): boolean => parseCollected(collected_at) !== null;

/** Last what has no time, such as a month: files of others. */
export function newestFirst(one: BioRecord, other: BioRecord): number {
  const [time, otherTime] = [one, other].map(({ collected_at }) => parseCollected(collected_at)?.at ?? -Infinity);
  if (time === otherTime || time === undefined || otherTime === undefined)
    return other.submitted_at.localeCompare(one.submitted_at);
  return otherTime - time;
}

/** Whether a value is low, high or critical against the ranges stated with it. */
export const isOutOfRange = (record: BioRecord): boolean => severity(record) < severityOf(null);

const severity = (record: BioRecord): number => severityOf(assessRecord(record).interpretation);

export interface RecordsByKind {
  /** The biomarkers whose latest value is out of range; the worst first. */
  readonly outOfRange: readonly BiomarkerGroup[];
  /** The other biomarkers. */
  readonly categories: readonly CategoryGroup[];
}

/** The category of what the taxonomy does not list, as in files of others. */
export const UNLISTED = '';

/**
 * Records by category, in the order of the taxonomy, and by biomarker, in the order of the codes; what it does not list last. With
 * `keyOf`, only records of one key are compared with each other.
 */
export function byKind(
  records: readonly BioRecord[],
  keyOf: (record: BioRecord) => string = ({ biomarker }) => biomarker,
): RecordsByKind {
  const byCode = groupBy(records, keyOf);
  const groups = [...byCode.keys()].sort().map((code) => biomarkerGroup(code, byCode.get(code) ?? []));
  const severityOfCurrent = ({ current }: BiomarkerGroup) => Math.min(severityOf(null), ...current.map(severity));
  const isOut = ({ current }: BiomarkerGroup) => current.some(isOutOfRange);
  const byCategory = groupBy(
    groups.filter((group) => !isOut(group)),
    ({ records }) => records[0]?.category ?? '',
  );
  return {
    outOfRange: groups.filter(isOut).sort((one, other) => severityOfCurrent(one) - severityOfCurrent(other)),
    categories: [...CATEGORIES, UNLISTED].flatMap((category) => {
      const biomarkers = byCategory.get(category);
      return biomarkers ? [{ category, biomarkers }] : [];
    }),
  };
}

export function biomarkerGroup(code: string, all: readonly BioRecord[]): BiomarkerGroup {
  const records = all.toSorted(newestFirst);
  const active = records.filter(({ status, value }) => status === 'ACTIVE' && value !== '');
  const dated = active.filter(isDated);
  const [latest = null, previous] = dated;
  const numbers = dated.flatMap(({ value, unit }) => {
    const own = numberIn(value);
    return (own === null || !latest ? null : convert(own, unit, latest.unit)) ?? [];
  });
  return {
    code,
    records,
    latest,
    current: [...dated.slice(0, 1), ...active.filter((record) => !isDated(record))],
    trend: latest && previous ? { direction: directionOf(previous, latest), previous } : null,
    course: numbers.slice(0, MAX_COURSE).reverse(),
  };
}

/** The replacement of each superseded record, by the id of the superseded one. */
export const replacements = (records: readonly BioRecord[]): ReadonlyMap<string, BioRecord> =>
  new Map(records.flatMap((record) => (record.supersedes ? [[record.supersedes, record] as const] : [])));
