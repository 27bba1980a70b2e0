'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import { failureOf } from '../../_trpc/failure.ts';
import { useTRPC } from '../../_trpc/query-provider.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { Button } from '../../_ui/button.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { useNow } from '../../_ui/now.ts';
import { TableSkeleton } from '../../_ui/skeletons.tsx';
import { Table, TableCell, TableHead, TableRow } from '../../_ui/table.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useDay } from '../../_ui/use-day.ts';
import { useScopeWords } from '../../_ui/use-scope-words.ts';
import { type CertificationDraft, renewalOf } from './certification-draft.ts';

/** Certifications that end soon or have just ended, each with its renewal for a year. */
export function EndingCertifications({ onRenew }: { onRenew: (draft: CertificationDraft) => void }) {
  const t = useTranslations('institute.ending');
  const words = useScopeWords();
  const day = useDay();
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.endingCertifications.queryOptions({}));
  const now = useNow(data?.[0]?.updated_at ?? '');
  return (
    <section id="ending" className="space-y-4">
      <h2>{t('title')}</h2>
      {!data && (error ? <Refused failure={failureOf(error)} /> : <TableSkeleton rows={3} />)}
      {data?.length === 0 && <p className="text-muted">{t('none')}</p>}
      {data && data.length > 0 && (
        <Table caption={t('title')} columns={[t('institution'), t('level'), t('until'), t('renewal')]}>
          {data.map((institution) => {
            const { ieo_id: id, domain, display_name: name, certification } = institution;
            const { level, expires_at: until } = certification;
            return (
              <TableRow key={id}>
                <TableHead>
                  <span className="block font-bold break-words">{name}</span>
                  <LocalLink href={`/explore/${id}`} className={textLink}>
                    {domain}
                  </LocalLink>
                </TableHead>
                <TableCell label={t('level')}>
                  <span className="inline-block first-letter:uppercase">{words.certLevel(level)}</span>
                </TableCell>
                <TableCell label={t('until')}>
                  {until && (Date.parse(until) <= now ? t('ended', { day: day(until) }) : day(until))}
                </TableCell>
                <TableCell label={t('renewal')}>
                  <Button look="secondary" onClick={() => onRenew(renewalOf(institution, Date.now()))}>
                    {t('renew')}
                  </Button>
                </TableCell>
              </TableRow>
            );
          })}
        </Table>
      )}
    </section>
  );
}
