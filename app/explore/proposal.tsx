'use client';

import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { CertificationMark } from '../_ui/certification-mark.tsx';
import { pageOf } from '../_ui/explore-address.ts';
import { LedgerStatus } from '../_ui/ledger-status.tsx';
import { Moment } from '../_ui/moment.tsx';
import { Name } from '../_ui/name.tsx';
import { Facts, Line } from './fact-list.tsx';
import { Heading } from './heading.tsx';
import { PartyLink } from './party-link.tsx';
import { RawJson } from './raw-json.tsx';

const NEEDED = 2;

type Explored = Extract<Answers['explore']['found'], { kind: 'proposal' }>;

/** A proposal of the institute and its approvals. */
export function Proposal({ proposal, institution, renderedAt }: Omit<Explored, 'kind'> & { renderedAt: string }) {
  const t = useTranslations('explore');
  return (
    <article>
      <Heading
        kind={t('kind.proposal')}
        above={[{ name: <Name>{institution.domain}</Name>, href: pageOf(institution.domain) }]}
        title={t(`proposal.action.${proposal.action}`)}
      >
        <p>{t(`proposal.status.${proposal.status}`)}</p>
      </Heading>
      <Facts>
        <Line name={t('proposal.about')}>
          <PartyLink domain={institution.domain} id={institution.ieo_id} />{' '}
          <CertificationMark institution={institution} />
        </Line>
        <Line name={t('proposal.why')}>{proposal.justification}</Line>
        <Line name={t('proposal.approvals')}>
          {t('proposal.given', { count: proposal.approvals.length, needed: NEEDED })}
        </Line>
        <Line name={t('proposal.opened')}>
          <Moment at={proposal.opened_at} renderedAt={renderedAt} />
        </Line>
        {proposal.executed_at && (
          <Line name={t('proposal.executed')}>
            <Moment at={proposal.executed_at} renderedAt={renderedAt} />
          </Line>
        )}
        <Line name={t('fact.status')}>
          <LedgerStatus status={proposal.ledger.status} />
        </Line>
      </Facts>
      <RawJson value={proposal} />
    </article>
  );
}
