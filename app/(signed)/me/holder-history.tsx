'use client';

import { clsx } from 'clsx';
import { useTranslations } from 'use-intl/react';
import type { EntrySummary } from '../../../server/ledger/read.ts';
import { useHolder } from '../../_session/current.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Moment } from '../../_ui/moment.tsx';
import { RowsSkeleton } from '../../_ui/skeletons.tsx';
import { Table, TableCell, TableHead, TableRow } from '../../_ui/table.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useOperationLabel } from '../../_ui/use-operation-label.ts';

const LATEST = 5;

type HistoryProps = { entries: readonly EntrySummary[] | undefined; failed: boolean; renderedAt: string };

/** The entries of the identity, the newest first. */
export function History({ entries, failed, renderedAt }: HistoryProps) {
  const t = useTranslations('overview');
  const labelOf = useOperationLabel();
  const session = useTranslations('session.progress');
  const { kept } = useHolder();
  return (
    <section aria-labelledby="history" className="space-y-4">
      <h2 id="history">{t('history.title')}</h2>
      <p className="text-muted">{t('history.lead')}</p>
      {!entries && !failed && <RowsSkeleton />}
      {failed && (
        <Alert tone="caution">
          <p>{t('unknown')}</p>
        </Alert>
      )}
      {entries && (
        <Table caption={t('history.title')} columns={[t('history.what'), t('history.when'), t('history.status')]}>
          {entries.slice(0, LATEST).map(({ id, function: name, accepted_at, status }) => (
            <TableRow key={id}>
              <TableHead>
                <LocalLink href={`/explore/${id}`} className={clsx(textLink, '-my-2 inline-block py-2')}>
                  {labelOf(name)}
                </LocalLink>
              </TableHead>
              <TableCell label={t('history.when')}>
                <Moment at={accepted_at} renderedAt={renderedAt} />
              </TableCell>
              <TableCell label={t('history.status')}>{session('status', { status })}</TableCell>
            </TableRow>
          ))}
        </Table>
      )}
      {entries && entries.length > LATEST && (
        <LocalLink href={`/explore/${kept.id}`} className={clsx(textLink, 'inline-flex min-h-11 items-center')}>
          {t('history.all')}
        </LocalLink>
      )}
    </section>
  );
}
