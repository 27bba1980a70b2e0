import type { BioRecord } from '../../../../protocol/records/record.ts';
import { CATEGORIES } from '../../../../protocol/records/taxonomy.ts';
import { numberIn } from '../../../_ui/value.ts';
import { groupBy } from './group-by.ts';

/** How the latest value lies to the one before it in the same unit. */
export interface Trend {
  readonly direction: 'up' | 'down' | 'same';
  readonly previous: BioRecord;
}

export interface BiomarkerGroup {
  readonly code: string;
  /** The newest collected first; superseded ones among them. */
  readonly records: readonly BioRecord[];
  /** Of those that stand. Null where none does. */
  readonly latest: BioRecord | null;
  /** Null where the latest is no number, or the first in its unit. */
  readonly trend: Trend | null;
  /** The last numbers in the unit of the latest, the oldest first. */
  readonly course: readonly number[];
}

export interface CategoryGroup {
  readonly category: string;
  readonly biomarkers: readonly BiomarkerGroup[];
}

const MOST_IN_COURSE = 30;

const newestFirst = (one: BioRecord, other: BioRecord): number =>
  one.collected_at === other.collected_at
    ? other.submitted_at.localeCompare(one.submitted_at)
    : other.collected_at.localeCompare(one.collected_at);

/** Records by category, in the order of the taxonomy, and in it by biomarker, in the order of their codes. */
export function byCategory(records: readonly BioRecord[]): CategoryGroup[] {
  const byCode = groupBy(records, ({ biomarker }) => biomarker);
  const codes = [...byCode.keys()].sort();
  const groups = codes.map((code) => biomarkerGroup(code, byCode.get(code) ?? []));
  const found = groupBy(groups, ({ records }) => records[0]?.category ?? '');
  return CATEGORIES.flatMap((category) => {
    const biomarkers = found.get(category);
    return biomarkers ? [{ category, biomarkers }] : [];
  });
}

export function biomarkerGroup(code: string, given: readonly BioRecord[]): BiomarkerGroup {
  const records = given.toSorted(newestFirst);
  const guardiansStatus = records.filter(({ status }) => status === 'ACTIVE');
  const latest = guardiansStatus[0] ?? null;
  const comparable = guardiansStatus.flatMap((record) => {
    const number = record.unit === latest?.unit ? numberIn(record.value) : null;
    return number === null ? [] : [{ record, number }];
  });
  const [now, before] = comparable;
  const isLatest = now !== undefined && now.record === latest;
  return {
    code,
    records,
    latest,
    trend: isLatest && before ? { direction: direction(before.number, now.number), previous: before.record } : null,
    course: comparable
      .slice(0, MOST_IN_COURSE)
      .map(({ number }) => number)
      .reverse(),
  };
}

const direction = (before: number, now: number): Trend['direction'] =>
  now === before ? 'same' : now > before ? 'up' : 'down';

/** Which record took the place of which, by the id of the one replaced. */
export const replacements = (records: readonly BioRecord[]): ReadonlyMap<string, BioRecord> =>
  new Map(records.flatMap((record) => (record.supersedes ? [[record.supersedes, record] as const] : [])));
