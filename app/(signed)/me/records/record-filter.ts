import { collectedTime } from '../../../../protocol/clinical/collected.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import type { RecordFilter } from './every-record.ts';

export const matchesFilter =
  ({ category, from, to }: RecordFilter) =>
  (record: BioRecord): boolean => {
    const at = collectedTime(record.collected_at);
    return (
      (category === null || record.category === category) && (from === null || at >= from) && (to === null || at <= to)
    );
  };
