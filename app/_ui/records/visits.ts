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

const severity = (record: BioRecord): number => Math.min(severityOf(assessRecord(record).interpretation), 2);

/** The current records by institution and day; the newest visit first. */
export function visitsOf(records: readonly BioRecord[]): Visit[] {
  const active = records.filter(({ status }) => status === 'ACTIVE');
  const dayCollected = ({ collected_at }: BioRecord): Day =>
    parseCollected(collected_at)?.day ?? dayOf(collectedTime(collected_at));
  const groups = groupBy(active, (record) => `${dayCollected(record)} ${record.ieo_id}`);
  return [...groups]
    .flatMap(([key, group]): Visit[] => {
      const [first] = group;
      if (!first) return [];
      const sorted = group.toSorted(
        (one, other) => severity(one) - severity(other) || one.biomarker.localeCompare(other.biomarker),
      );
      const day = dayCollected(first);
      return [{ key, day, institution: first, records: sorted, outOfRange: group.filter(isOutOfRange).length }];
    })
    .sort((one, other) => other.day.localeCompare(one.day) || one.key.localeCompare(other.key));
}
