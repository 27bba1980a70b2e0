'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import { MAX_PAGE_SIZE } from '../../../protocol/page.ts';
import { useTRPC } from '../../_trpc/query-provider.tsx';
import { Badge } from '../../_ui/badge.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useDay } from '../../_ui/use-day.ts';

/** The proposals of the institute about an institution, with reasons; empty without any. */
export function Decisions({ ieoId }: { ieoId: string }) {
  const t = useTranslations('institution');
  const day = useDay();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.proposals.queryOptions({ limit: MAX_PAGE_SIZE }));
  const about =
    data?.proposals.filter(({ institution, status }) => institution.ieo_id === ieoId && status !== 'EXPIRED') ?? [];
  if (about.length === 0) return null;
  return (
    <section className="space-y-3">
      <h2>{t('decisions.title')}</h2>
      <ul className="space-y-3">
        {about.map(({ proposal_id, action, params, justification, executed_at, opened_at, arweave_tx }) => (
          <li key={proposal_id} className="rounded-lg border border-line bg-surface p-5">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-bold">{t(`decisions.${action}`)}</span>
              <span className="text-muted">{day(executed_at ?? opened_at)}</span>
              {executed_at === null && <Badge tone="caution">{t('decisions.pending')}</Badge>}
            </p>
            {'reason' in params && <p className="break-words">{params.reason}</p>}
            <p className="text-muted break-words">{justification}</p>
            <LocalLink href={`/explore/${arweave_tx}`} className={`${textLink} inline-flex min-h-11 items-center`}>
              {t('consents.see')}
            </LocalLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
