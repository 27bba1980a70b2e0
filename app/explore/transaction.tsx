'use client';

import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { pageOf } from '../_ui/explore-address.ts';
import { ExternalLink } from '../_ui/external-link.tsx';
import { Identifier } from '../_ui/identifier.tsx';
import { LedgerStatus } from '../_ui/ledger-status.tsx';
import { LocalLink } from '../_ui/local-link.tsx';
import { Moment } from '../_ui/moment.tsx';
import { Name } from '../_ui/name.tsx';
import { useOperationLabel } from '../_ui/operation-label.ts';
import { textLink } from '../_ui/text-link.ts';
import { CheckIt } from './check/check-it.tsx';
import { Facts, Line } from './facts.tsx';
import { Heading } from './heading.tsx';
import { RawJson } from './raw-json.tsx';

type Explored = Extract<Answers['explore']['found'], { kind: 'transaction' }>;

/** One entry: its operation, its status and its proof. */
export function Transaction({
  transaction,
  about,
  entry,
  network,
  renderedAt,
}: Omit<Explored, 'kind'> & { renderedAt: string }) {
  const t = useTranslations('explore');
  const latest = useTranslations('home.latest');
  const labelOf = useOperationLabel();
  const { id, status, confirmations, l1_tx, seq, prev } = transaction;
  return (
    <article>
      <Heading kind={t('kind.transaction', { seq })} title={labelOf(transaction.function)}>
        <p>{t('transaction.status', { status })}</p>
      </Heading>
      <Facts>
        {about && (
          <Line name={t('transaction.about', { kind: about.kind })}>
            <LocalLink href={pageOf(about.name)} className={`${textLink} -my-2 inline-block py-2`}>
              <Name>{about.name}</Name>
            </LocalLink>
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
      <CheckIt id={id} seq={seq} l1Tx={l1_tx} />
    </article>
  );
}
