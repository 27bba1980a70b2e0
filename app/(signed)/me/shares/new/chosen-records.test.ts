import { expect, test } from 'vitest';
import { startOfDay } from '../../../../../protocol/days.ts';
import { bioRecord } from '../../../../_ui/records/test-records.ts';
import { visitsOf } from '../../../../_ui/records/visits.ts';
import { EVERY_RECORD } from '../../records/every-record.ts';
import { chosenRecords } from './chosen-records.ts';
import { NEW_SHARE, type ShareDraft } from './share-draft.ts';

const [OLD, NEW, DAY, REPLACED, OTHER] = [
  bioRecord({ collected_at: '2025-06-10T08:00:00.000Z' }),
  bioRecord({ collected_at: '2026-01-10T08:00:00.000Z' }),
  bioRecord({ collected_at: '2026-01-10', biomarker: 'BSP-VT-002', ieo_id: 'clinic' }),
  bioRecord({ collected_at: '2026-02-10T08:00:00.000Z', status: 'SUPERSEDED' }),
  bioRecord({ collected_at: '2025-01-01', biomarker: 'BSP-HM-002', category: 'BSP-HM' }),
];
const RECORDS = [OLD, NEW, DAY, REPLACED, OTHER];
const chosen = (draft: Partial<ShareDraft>) => new Set(chosenRecords({ ...NEW_SHARE, ...draft }, RECORDS));

test('a choice shares what it says, and no value that was replaced', () => {
  expect(chosen({})).toEqual(new Set());
  expect(chosen({ what: 'shown' })).toEqual(new Set([OLD, NEW, DAY, OTHER]));
  expect(chosen({ what: 'shown', filter: { ...EVERY_RECORD, category: 'BSP-HM' } })).toEqual(new Set([OTHER]));
  expect(chosen({ what: 'summary' })).toEqual(new Set([NEW, DAY, OTHER]));
  expect(chosen({ what: 'kinds', kinds: ['BSP-VT-001', 'BSP-HM-002'] })).toEqual(new Set([OLD, NEW, OTHER]));
  const visits = visitsOf(RECORDS).filter(({ institution }) => institution.ieo_id === 'clinic');
  expect(chosen({ what: 'visits', visits: visits.map(({ key }) => key) })).toEqual(new Set([DAY]));
});

test('a day to begin with is shared itself, and a day that does not exist shares nothing', () => {
  expect(startOfDay('2026-01-10')).not.toBeNull();
  expect(chosen({ what: 'since', since: '2026-01-10' })).toEqual(new Set([NEW, DAY]));
  expect(chosen({ what: 'since', since: '2026-01-11' })).toEqual(new Set());
  expect(chosen({ what: 'since', since: '2026-02-30' })).toEqual(new Set());
});
