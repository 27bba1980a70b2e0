'use client';

import { Download } from 'lucide-react';
import { useLocale, useTranslations } from 'use-intl/react';
import { regionOf } from '../../../../messages/languages.ts';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { useBiomarkerName } from '../../../_i18n/biomarker-names.tsx';
import { Button } from '../../../_ui/button.tsx';
import { formatExact } from '../../../_ui/format.ts';
import { Identifier } from '../../../_ui/identifier.tsx';
import { type Bounds, referenceRange } from '../../../_ui/reference-range.ts';
import { Screen } from '../../../_ui/screen.tsx';
import { Table, TableCell, TableHead, TableRow } from '../../../_ui/table.tsx';
import { exactly } from '../../../_ui/value.ts';
import { saveFile } from '../save-file.ts';
import { listedBiomarker } from '../submit/biomarkers.ts';
import { PAGE, type RecordQuery } from './record-query.ts';

export interface Page {
  readonly query: RecordQuery;
  readonly offset: number;
  readonly records: readonly BioRecord[];
  readonly total: number;
}

type ReadRecordsProps = { page: Page; domain: string | null; onOffset: (offset: number) => void };

/** One page of records, the newest first. */
export function ReadRecords({ page: { offset, records, total }, domain, onOffset }: ReadRecordsProps) {
  const t = useTranslations('institution.read');
  const [first, last] = [offset + 1, offset + records.length];

  const save = async () => {
    const { recordsCsv } = await import('./records-csv.ts');
    saveFile(`perpetua-records-${domain}-${first}-${last}.csv`, 'text/csv', recordsCsv(records));
  };

  return (
    <Screen key={offset} title={t('found', { total })} className="space-y-4">
      {records.length > 0 && (
        <>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-muted tabular-nums">{t('shown', { first, last, total })}</p>
            <Button look="secondary" onClick={() => void save()}>
              <Download aria-hidden />
              {t('download')}
            </Button>
          </div>
          <Table caption={t('table')} columns={[t('what'), t('value'), t('at'), t('range'), t('by'), t('record')]}>
            {records.map((record) => (
              <RecordRow key={record.record_id} record={record} />
            ))}
          </Table>
          <div className="flex flex-wrap gap-3">
            {offset > 0 && (
              <Button look="secondary" onClick={() => onOffset(Math.max(0, offset - PAGE))}>
                {t('earlier')}
              </Button>
            )}
            {last < total && (
              <Button look="secondary" onClick={() => onOffset(offset + PAGE)}>
                {t('later')}
              </Button>
            )}
          </div>
        </>
      )}
    </Screen>
  );
}

function RecordRow({ record }: { record: BioRecord }) {
  const t = useTranslations('institution.read');
  const region = regionOf(useLocale());
  const biomarker = useBiomarkerName();
  const name = listedBiomarker(record.biomarker, { biomarker })?.name;
  return (
    <TableRow>
      <TableHead>
        <span className="block font-bold">{name ?? record.biomarker}</span>
        {name && <span className="block text-sm text-muted">{record.biomarker}</span>}
      </TableHead>
      <TableCell label={t('value')}>
        <span className="font-semibold break-words">{exactly(record.value)}</span> {record.unit}
      </TableCell>
      <TableCell label={t('at')} className="text-sm tabular-nums">
        <time dateTime={record.collected_at}>{formatExact(region, Date.parse(record.collected_at), undefined)}</time>
      </TableCell>
      <TableCell label={t('range')}>
        <Ranges record={record} />
      </TableCell>
      <TableCell label={t('by')} className="break-words">
        {record.source.ieo_domain}
      </TableCell>
      <TableCell label={t('record')}>
        <Identifier value={record.record_id} what="recordId" keep={4} />
      </TableCell>
    </TableRow>
  );
}

function Ranges({ record }: { record: BioRecord }) {
  const t = useTranslations('institution.read.ranges');
  const range = referenceRange(record);
  if (!range) return <span aria-hidden>–</span>;
  return (
    <ul>
      {range.ranges.map(({ name, bounds, text }) => (
        <li key={name}>
          {t(name, { range: [bounds && boundsText(bounds), text].filter(Boolean).join(' ') })}
          {!range.comparable && ` ${range.unit}`}
        </li>
      ))}
    </ul>
  );
}

function boundsText({ low, high }: Bounds): string {
  if (low === null) return `≤ ${high}`;
  return high === null ? `≥ ${low}` : `${low}–${high}`;
}
