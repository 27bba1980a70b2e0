import { assessRecord, severityOf } from '../../../protocol/clinical/assess.ts';
import { collectedTime } from '../../../protocol/clinical/collected.ts';
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
  readonly code: string;
  /** The newest first, by collection time; includes superseded ones. */
  readonly records: readonly BioRecord[];
  /** The newest that is not superseded; null if all are. */
  readonly latest: BioRecord | null;
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

const newestFirst = (one: BioRecord, other: BioRecord): number =>
  collectedTime(other.collected_at) - collectedTime(one.collected_at) ||
  other.submitted_at.localeCompare(one.submitted_at);

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

/** Records by category, in the order of the taxonomy, and by biomarker, in the order of the codes; what it does not list last. */
export function byKind(records: readonly BioRecord[]): RecordsByKind {
  const byCode = groupBy(records, ({ biomarker }) => biomarker);
  const groups = [...byCode.keys()].sort().map((code) => biomarkerGroup(code, byCode.get(code) ?? []));
  const severityOfLatest = ({ latest }: BiomarkerGroup) => (latest ? severity(latest) : severityOf(null));
  const isOut = ({ latest }: BiomarkerGroup) => latest !== null && isOutOfRange(latest);
  const byCategory = groupBy(
    groups.filter((group) => !isOut(group)),
    ({ records }) => records[0]?.category ?? '',
  );
  return {
    outOfRange: groups.filter(isOut).sort((one, other) => severityOfLatest(one) - severityOfLatest(other)),
    categories: [...CATEGORIES, UNLISTED].flatMap((category) => {
      const biomarkers = byCategory.get(category);
      return biomarkers ? [{ category, biomarkers }] : [];
    }),
  };
}

export function biomarkerGroup(code: string, all: readonly BioRecord[]): BiomarkerGroup {
  const records = all.toSorted(newestFirst);
  const active = records.filter(({ status }) => status === 'ACTIVE');
  const latest = active[0] ?? null;
  const numbers = active.flatMap(({ value, unit }) => {
    const own = numberIn(value);
    return (own === null || !latest ? null : convert(own, unit, latest.unit)) ?? [];
  });
  const [, previous] = active;
  return {
    code,
    records,
    latest,
    trend: latest && previous ? { direction: directionOf(previous, latest), previous } : null,
    course: numbers.slice(0, MAX_COURSE).reverse(),
  };
}

/** The replacement of each superseded record, by the id of the superseded one. */
export const replacements = (records: readonly BioRecord[]): ReadonlyMap<string, BioRecord> =>
  new Map(records.flatMap((record) => (record.supersedes ? [[record.supersedes, record] as const] : [])));
