'use client';

import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { pageOf } from '../_ui/explore-address.ts';
import { ExternalLink } from '../_ui/external-link.tsx';
import { Identifier } from '../_ui/identifier.tsx';
import { LedgerStatus } from '../_ui/ledger-status.tsx';
import { Moment } from '../_ui/moment.tsx';
import { Name } from '../_ui/name.tsx';
import { Pager } from '../_ui/pager.tsx';
import { SubjectLink } from '../_ui/subject-link.tsx';
import { useEntryWords } from '../_ui/use-entry-words.ts';
import { useOperationLabel } from '../_ui/use-operation-label.ts';
import { CheckIt } from './check/check-it.tsx';
import { Facts, Line } from './fact-list.tsx';
import { Heading } from './heading.tsx';
import { RawJson } from './raw-json.tsx';

type Explored = Extract<Answers['explore']['found'], { kind: 'transaction' }>;

/** One entry: its operation, its status and its proof. */
export function Transaction({
  transaction,
  subject,
  facts,
  neighbours,
  entry,
  network,
  renderedAt,
}: Omit<Explored, 'kind'> & { renderedAt: string }) {
  const t = useTranslations('explore');
  const latest = useTranslations('home.latest');
  const label = useOperationLabel()(transaction.function);
  const words = useEntryWords()({ function: transaction.function, facts });
  const { id, status, confirmations, l1_tx, seq, prev, entity_id } = transaction;
  const { previous, next } = neighbours;
  const above = subject?.domain ?? null;
  return (
    <article>
      <Heading
        kind={t('kind.transaction', { seq })}
        above={above === null ? [] : [{ name: <Name>{above}</Name>, href: pageOf(above) }]}
        title={label}
      >
        {words !== label && <p className="font-semibold wrap-anywhere">{words}</p>}
        <p>{t('transaction.status', { status })}</p>
      </Heading>
      <Pager
        label={t('transaction.neighbours')}
        previous={
          previous === null ? null : { name: t('transaction.previous', { seq: seq - 1 }), href: pageOf(previous) }
        }
        next={next === null ? null : { name: t('transaction.next', { seq: seq + 1 }), href: pageOf(next) }}
      />
      <Facts>
        {subject && (
          <Line name={t('transaction.about', { kind: subject.kind })}>
            <SubjectLink entry={{ function: transaction.function, entity_id, subject }} />
          </Line>
        )}
        <Line name={t('transaction.accepted')}>
          <Moment at={transaction.accepted_at} renderedAt={renderedAt} />
        </Line>
        <Line name={latest('status')}>
          <span role="status">
            <LedgerStatus status={status} confirmations={confirmations} />
          </span>
        </Line>
        <Line name={t('transaction.network')}>
          {l1_tx === null ? (
            t('transaction.notYet')
          ) : (
            <>
              <ExternalLink href={`${network.gatewayUrl}/tx/${l1_tx}`}>{t('transaction.gateway')}</ExternalLink>
              <span className="block text-sm text-muted">{t(`transaction.kept.${network.kind}`)}</span>
            </>
          )}
        </Line>
        <Line name={t('fact.id')}>
          <Identifier value={id} what="transactionId" keep={12} />
        </Line>
        {prev && (
          <Line name={t('transaction.prev')}>
            <Identifier value={prev} what="transactionId" keep={12} href={pageOf(prev)} />
          </Line>
        )}
      </Facts>
      <RawJson title={t('transaction.entry')} value={JSON.parse(entry)} />
      <CheckIt {...transaction} network={network} />
    </article>
  );
}
