import { collectedTime } from '../../../../protocol/clinical/collected.ts';
import { convert } from '../../../../protocol/clinical/units.ts';
import { numberIn } from '../../../../protocol/clinical/value.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { CATEGORIES } from '../../../../protocol/records/taxonomy.ts';
import { groupBy } from './group-by.ts';

/** The latest value compared with the previous one, in the unit of the latest. */
export interface Trend {
  readonly direction: 'up' | 'down' | 'same';
  readonly previous: BioRecord;
}

export interface BiomarkerGroup {
  readonly code: string;
  /** The newest first, by collection time; includes superseded ones. */
  readonly records: readonly BioRecord[];
  /** The newest that is not superseded; null if all are. */
  readonly latest: BioRecord | null;
  /** Null if the latest is not a number, or the first that converts to its unit. */
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

/** Records by category, in the order of the taxonomy, and by biomarker, in the order of the codes. */
export function byCategory(records: readonly BioRecord[]): CategoryGroup[] {
  const byCode = groupBy(records, ({ biomarker }) => biomarker);
  const codes = [...byCode.keys()].sort();
  const groups = codes.map((code) => biomarkerGroup(code, byCode.get(code) ?? []));
  const byCategoryCode = groupBy(groups, ({ records }) => records[0]?.category ?? '');
  return CATEGORIES.flatMap((category) => {
    const biomarkers = byCategoryCode.get(category);
    return biomarkers ? [{ category, biomarkers }] : [];
  });
}

export function biomarkerGroup(code: string, all: readonly BioRecord[]): BiomarkerGroup {
  const records = all.toSorted(newestFirst);
  const active = records.filter(({ status }) => status === 'ACTIVE');
  const latest = active[0] ?? null;
  const comparable = active.flatMap((record) => {
    const own = numberIn(record.value);
    const number = own !== null && latest ? convert(own, record.unit, latest.unit) : null;
    return number === null ? [] : [{ record, number }];
  });
  const [newest, previous] = comparable;
  const isLatest = newest !== undefined && newest.record === latest;
  return {
    code,
    records,
    latest,
    trend:
      isLatest && previous ? { direction: direction(previous.number, newest.number), previous: previous.record } : null,
    course: comparable
      .slice(0, MAX_COURSE)
      .map(({ number }) => number)
      .reverse(),
  };
}

const direction = (before: number, now: number): Trend['direction'] =>
  now === before ? 'same' : now > before ? 'up' : 'down';

/** The replacement of each superseded record, by the id of the superseded one. */
export const replacements = (records: readonly BioRecord[]): ReadonlyMap<string, BioRecord> =>
  new Map(records.flatMap((record) => (record.supersedes ? [[record.supersedes, record] as const] : [])));
