'use client';

import { Printer, TriangleAlert } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { BioRecord } from '../../../../protocol/records/record.ts';
import { useBiomarkerName } from '../../../_i18n/biomarker-names.tsx';
import { InstitutionName } from '../../../_trpc/institution-name.tsx';
import { Badge } from '../../../_ui/badge.tsx';
import { Button } from '../../../_ui/button.tsx';
import { InterpretationFlag } from '../../../_ui/interpretation-flag.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { ShownValue } from '../../../_ui/records/shown-value.tsx';
import { StatedRanges } from '../../../_ui/records/stated-ranges.tsx';
import { type Visit, visitsOf } from '../../../_ui/records/visits.ts';
import { Table, TableCell, TableHead, TableRow } from '../../../_ui/table.tsx';
import { textLink } from '../../../_ui/text-link.ts';
import { useDates } from '../../../_ui/use-dates.ts';

const PAGE = 30;

/** The records as panels: what an institution collected on a day. The newest is open; what is closed is not printed. */
export function VisitList({ records }: { records: readonly BioRecord[] }) {
  const t = useTranslations('records.visit');
  const visits = useMemo(() => visitsOf(records), [records]);
  const [shown, setShown] = useState(PAGE);
  return (
    <section aria-label={t('list')} className="space-y-3">
      <Button look="secondary" onClick={() => print()}>
        <Printer aria-hidden />
        {t('print')}
      </Button>
      {visits.slice(0, shown).map((visit, index) => (
        <Panel key={visit.key} visit={visit} isFirst={index === 0} />
      ))}
      {visits.length > shown && (
        <Button look="secondary" onClick={() => setShown(shown + PAGE)}>
          {t('more', { count: Math.min(PAGE, visits.length - shown) })}
        </Button>
      )}
    </section>
  );
}

function Panel({ visit: { day, institution, records, outOfRange }, isFirst }: { visit: Visit; isFirst: boolean }) {
  const t = useTranslations('records.visit');
  const dates = useDates();
  const nameOf = useBiomarkerName();
  const [isOpen, setOpen] = useState(isFirst);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="rounded-lg border border-line bg-surface px-4 py-1 sm:px-5 print:border-0 print:p-0 print:not-open:hidden"
    >
      <summary className="min-h-11 cursor-pointer py-2.5 print:list-none">
        <h2 className="mr-2 inline text-base">
          {dates.day(day)}
          {' · '}
          <InstitutionName id={institution.ieo_id} domain={institution.source.ieo_domain} isWithin />
        </h2>
        <span className="mr-2 text-sm text-muted">{t('values', { count: records.length })}</span>
        {outOfRange > 0 && (
          <Badge tone="caution">
            <TriangleAlert aria-hidden />
            {t('outOfRange', { count: outOfRange })}
          </Badge>
        )}
      </summary>
      {isOpen && (
        <div className="pb-3">
          <Table caption={t('table', { day: dates.day(day) })} columns={[t('what'), t('value'), t('flag'), t('range')]}>
            {records.map((record) => (
              <TableRow key={record.record_id}>
                <TableHead>
                  <LocalLink href={`/me/records/${record.biomarker}`} className={textLink}>
                    {nameOf(record.biomarker)}
                  </LocalLink>
                </TableHead>
                <TableCell label={t('value')}>
                  <ShownValue record={record} />
                </TableCell>
                <TableCell label={t('flag')}>
                  <InterpretationFlag record={record} />
                </TableCell>
                <TableCell label={t('range')} className={record.ref_range ? 'col-span-2' : 'not-tabular:hidden'}>
                  <StatedRanges record={record} />
                </TableCell>
              </TableRow>
            ))}
          </Table>
        </div>
      )}
    </details>
  );
}
