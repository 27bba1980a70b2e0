'use client';

import { useTranslations } from 'use-intl/react';
import type { BeoView } from '../../protocol/entities/beo.ts';
import { pageOf } from '../_ui/explore-address.ts';
import { Identifier } from '../_ui/identifier.tsx';
import { LedgerStatus } from '../_ui/ledger-status.tsx';
import { Moment } from '../_ui/moment.tsx';
import { Name } from '../_ui/name.tsx';
import { StateBadge } from '../_ui/state-badge.tsx';
import { Facts, Line } from './fact-list.tsx';
import { FeedLine } from './feed-line.tsx';
import { Heading } from './heading.tsx';
import { RawJson } from './raw-json.tsx';

/** The current state of a person’s identity. */
export function Identity({ identity, renderedAt }: { identity: BeoView; renderedAt: string }) {
  const t = useTranslations('explore');
  const state = useTranslations('common.state');
  const sentence = useTranslations('home.lookup.sentence');
  const { recovery, active_recovery: open } = identity;
  const guardians = recovery.guardians.filter(({ status }) => status === 'ACTIVE');
  return (
    <article>
      <Heading
        kind={t('kind.identity')}
        title={<Name>{identity.domain ?? identity.beo_id}</Name>}
        badge={<StateBadge state={identity.status} />}
      >
        <p>{sentence(identity.status)}</p>
        {open && (
          <p className="mt-2 text-caution-ink">
            {t('identity.recovering', { given: open.confirmations, needed: open.confirmations_needed })}
          </p>
        )}
      </Heading>
      <Facts>
        {identity.public_key && (
          <Line name={t('fact.publicKey')}>
            <Identifier value={identity.public_key} what="publicKey" />
          </Line>
        )}
        {identity.public_key && (
          <Line name={t('fact.keyVersion')}>{t('identity.keyVersion', { version: identity.key_version })}</Line>
        )}
        {identity.public_key && (
          <Line name={t('fact.guardians')}>
            {t('identity.guardians', {
              count: guardians.length,
              confirmed: guardians.filter(({ confirmed }) => confirmed).length,
            })}
            {(recovery.confirmed_only || guardians.some(({ confirmed }) => !confirmed)) && (
              <span className="block text-sm text-muted">
                {t(recovery.confirmed_only ? 'identity.confirmedOnly' : 'identity.asserted')}
              </span>
            )}
          </Line>
        )}
        <Line name={t('fact.created')}>
          <Moment at={identity.created_at} renderedAt={renderedAt} />
        </Line>
        {identity.status === 'LOCKED' && identity.locked_at && (
          <Line name={state('LOCKED')}>
            <Moment at={identity.locked_at} renderedAt={renderedAt} />
          </Line>
        )}
        {identity.status === 'DESTROYED' && (
          <Line name={state('DESTROYED')}>
            <Moment at={identity.updated_at} renderedAt={renderedAt} />
          </Line>
        )}
        <Line name={t('fact.status')}>
          <LedgerStatus status={identity.ledger.status} />
        </Line>
        <Line name={t('fact.createdBy')}>
          <Identifier value={identity.arweave_tx} what="transactionId" keep={10} href={pageOf(identity.arweave_tx)} />
        </Line>
        <Line name={t('fact.id')}>
          <Identifier value={identity.beo_id} what="identityId" keep={12} />
        </Line>
        <FeedLine of="beos" id={identity.beo_id} name={identity.domain ?? identity.beo_id} />
      </Facts>
      <RawJson value={identity} />
    </article>
  );
}
