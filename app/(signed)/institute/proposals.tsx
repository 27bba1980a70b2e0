'use client';

import { useQuery } from '@tanstack/react-query';
import { Archive, Hourglass } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { MAX_PAGE_SIZE } from '../../../protocol/page.ts';
import { failureOf } from '../../_trpc/failure.ts';
import { useTRPC } from '../../_trpc/query-provider.tsx';
import { Refused } from '../../_trpc/refused.tsx';
import { CardSkeleton } from '../../_ui/skeletons.tsx';
import { NothingYet } from './nothing-yet.tsx';
import { ProposalCard, type ProposalCardProps } from './proposal-card.tsx';

const POLL_MS = 10_000;

/** The proposals that wait for a second key, and the closed ones. */
export function Proposals(on: Pick<ProposalCardProps, 'onPropose' | 'onDone'>) {
  const t = useTranslations('institute');
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.proposals.queryOptions({ limit: MAX_PAGE_SIZE }, { refetchInterval: POLL_MS }));
  if (!data) return error ? <Refused failure={failureOf(error)} /> : <CardSkeleton lines={5} />;
  const pending = data.proposals.filter(({ status }) => status === 'PENDING');
  const closed = data.proposals.filter(({ status }) => status !== 'PENDING');
  return (
    <>
      <section className="space-y-4">
        <h2>{t('pending')}</h2>
        {pending.length === 0 && (
          <NothingYet icon={Hourglass} title={t('nonePending')}>
            {t('nonePendingWhat')}
          </NothingYet>
        )}
        {pending.map((proposal) => (
          <ProposalCard key={proposal.proposal_id} proposal={proposal} {...on} />
        ))}
      </section>
      <section className="space-y-4">
        <h2>{t('closed')}</h2>
        {closed.length === 0 && (
          <NothingYet icon={Archive} title={t('noneClosed')}>
            {t('noneClosedWhat')}
          </NothingYet>
        )}
        {closed.map((proposal) => (
          <ProposalCard key={proposal.proposal_id} proposal={proposal} {...on} />
        ))}
      </section>
    </>
  );
}
