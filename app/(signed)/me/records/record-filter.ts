import { collectedTime } from '../../../../protocol/clinical/collected.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';

/** The records that are shown. */
export interface RecordFilter {
  readonly category: string | null;
  /** Milliseconds since 1970, both included. */
  readonly from: number | null;
  readonly to: number | null;
}

export const EVERY_RECORD: RecordFilter = { category: null, from: null, to: null };

export const matchesFilter =
  ({ category, from, to }: RecordFilter) =>
  (record: BioRecord): boolean => {
    const at = collectedTime(record.collected_at);
    return (
      (category === null || record.category === category) && (from === null || at >= from) && (to === null || at <= to)
    );
  };
