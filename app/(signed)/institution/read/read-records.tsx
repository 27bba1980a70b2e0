'use client';

import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { folded } from '../../../../protocol/folded-text.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { Button } from '../../../_ui/button.tsx';
import { DataTable } from '../../../_ui/data-table.tsx';
import { saveFile } from '../../../_ui/save-file.ts';
import { Screen } from '../../../_ui/screen.tsx';
import { SearchField } from '../../../_ui/search-field.tsx';
import { useSorting } from '../../../_ui/sorting.ts';
import { PAGE, type RecordQuery } from './record-query.ts';
import { useNameOf, useRecordColumns } from './shown-columns.tsx';

/** The records that were read so far. */
export interface Found {
  readonly query: RecordQuery;
  /** Where the next page begins. */
  readonly offset: number;
  readonly records: readonly BioRecord[];
  /** The number of records that match the query. */
  readonly total: number;
}

type ReadRecordsProps = {
  found: Found;
  domain: string | null;
  isReading: boolean;
  /** Reads the next page, or all that are left. */
  onMore: (toTheEnd: boolean) => void;
};

/** The records that were read, as a table. */
export function ReadRecords({ found: { offset, records, total }, domain, isReading, onMore }: ReadRecordsProps) {
  const t = useTranslations('institution.read');
  const [typed, setTyped] = useState('');
  const nameOf = useNameOf();
  const columns = useRecordColumns();
  // biome-ignore lint/correctness/useExhaustiveDependencies: names change with the language only, and a page has one
  const shown = useMemo(() => {
    const part = folded(typed.trim());
    const matches = (record: BioRecord) =>
      [nameOf(record), record.biomarker, record.source.ieo_domain, record.record_id].some((text) =>
        folded(text).includes(part),
      );
    return part === '' ? records : records.filter(matches);
  }, [records, typed]);
  const sorting = useSorting(shown, columns);
  const left = total - offset;

  const save = async () => {
    const { recordsCsv } = await import('./records-csv.ts');
    saveFile(`perpetua-records-${domain}.csv`, 'text/csv', recordsCsv(sorting.rows));
  };

  const more = left > 0 && (
    <div className="flex flex-wrap gap-3">
      <Button look="secondary" busy={isReading} onClick={() => onMore(false)}>
        {t(isReading ? 'reading' : 'next', { count: Math.min(PAGE, left) })}
      </Button>
      {left > PAGE && !isReading && (
        <Button look="secondary" onClick={() => onMore(true)}>
          {t('rest', { count: left })}
        </Button>
      )}
    </div>
  );

  return (
    <Screen title={t('found', { total })} className="space-y-4">
      {records.length > 0 && (
        <>
          <SearchField label={t('search')} placeholder={t('searchHint')} value={typed} onChange={setTyped} />
          <p role="status" className="text-muted tabular-nums">
            {t('shown', { shown: shown.length, read: records.length, total })}
          </p>
          {more}
          {shown.length > 0 && (
            <div className="wide">
              <DataTable
                caption={t('table')}
                columns={columns}
                sorting={sorting}
                keyOf={({ record_id }) => record_id}
                kept="reads"
                onSave={() => void save()}
                wraps
              />
            </div>
          )}
          {more}
        </>
      )}
    </Screen>
  );
}
