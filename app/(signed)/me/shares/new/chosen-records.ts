import { startOfDay } from '../../../../../protocol/days.ts';
import type { BioRecord } from '../../../../../protocol/records/record.ts';
import { groupBy } from '../../../../_ui/records/group-by.ts';
import { biomarkerGroup } from '../../../../_ui/records/group-records.ts';
import { visitsOf } from '../../../../_ui/records/visits.ts';
import { EVERY_RECORD } from '../../records/every-record.ts';
import { matchesFilter } from '../../records/record-filter.ts';
import type { ShareDraft } from './share-draft.ts';

type Chosen = Pick<ShareDraft, 'what' | 'filter' | 'since' | 'visits' | 'kinds'>;

/** The records that a draft shares. None that was replaced: a reader would take it for a value. */
export function chosenRecords(
  { what, filter, since, visits, kinds }: Chosen,
  records: readonly BioRecord[],
): readonly BioRecord[] {
  const current = records.filter(({ status }) => status === 'ACTIVE');
  switch (what) {
    case null:
      return [];
    case 'summary':
      return [...groupBy(current, ({ biomarker }) => biomarker)].flatMap(
        ([code, all]) => biomarkerGroup(code, all).latest ?? [],
      );
    case 'shown':
      return current.filter(matchesFilter(filter));
    case 'since': {
      const from = startOfDay(since);
      return from === null ? [] : current.filter(matchesFilter({ ...EVERY_RECORD, from }));
    }
    case 'visits':
      return visitsOf(current).flatMap((visit) => (visits.includes(visit.key) ? visit.records : []));
    case 'kinds':
      return current.filter(({ biomarker }) => kinds.includes(biomarker));
  }
}
