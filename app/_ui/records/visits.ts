import { assessRecord, severityOf } from '../../../protocol/clinical/assess.ts';
import { collectedTime, parseCollected } from '../../../protocol/clinical/collected.ts';
import { type Day, dayOf } from '../../../protocol/days.ts';
import type { BioRecord } from '../../../protocol/records/record.ts';
import { groupBy } from './group-by.ts';
import { isOutOfRange } from './group-records.ts';

/** What one institution collected on one day. */
export interface Visit {
  readonly key: string;
  /** Of the laboratory's calendar where it stated a day; else of the reader's zone. */
  readonly day: Day;
  readonly institution: Pick<BioRecord, 'ieo_id' | 'source'>;
  /** Out of range first, then by code. */
  readonly records: readonly BioRecord[];
  readonly outOfRange: number;
}

const isCurrent = ({ status }: BioRecord): boolean => status === 'ACTIVE';
const NORMAL = 2;
const severity = (record: BioRecord): number =>
  isCurrent(record) ? Math.min(severityOf(assessRecord(record).interpretation), NORMAL) : NORMAL;

/** The records by institution and day, by default the current ones; the newest visit first. */
export function visitsOf(records: readonly BioRecord[], isListed = isCurrent): Visit[] {
  const dayCollected = ({ collected_at }: BioRecord): Day =>
    parseCollected(collected_at)?.day ?? dayOf(collectedTime(collected_at));
  const groups = groupBy(records.filter(isListed), (record) => `${dayCollected(record)} ${record.ieo_id}`);
  return [...groups]
    .flatMap(([key, group]): Visit[] => {
      const [first] = group;
      if (!first) return [];
      const sorted = group.toSorted(
        (one, other) => severity(one) - severity(other) || one.biomarker.localeCompare(other.biomarker),
      );
      const day = dayCollected(first);
      return [
        {
          key,
          day,
          institution: first,
          records: sorted,
          outOfRange: group.filter((record) => isCurrent(record) && isOutOfRange(record)).length,
        },
      ];
    })
    .sort((one, other) => other.day.localeCompare(one.day) || one.key.localeCompare(other.key));
}
