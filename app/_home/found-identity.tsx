import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { Card } from '../_ui/card.tsx';
import { Identifier } from '../_ui/identifier.tsx';
import { LedgerStatus } from '../_ui/ledger-status.tsx';
import { LocalLink } from '../_ui/local-link.tsx';
import { Moment } from '../_ui/moment.tsx';
import { Name } from '../_ui/name.tsx';
import { StateBadge } from '../_ui/state-badge.tsx';
import { textLink } from '../_ui/text-link.ts';

type Identity = NonNullable<Answers['lookUp']['identity']>;

/** The current state of an identity: its key, since when, and the status of its last entry. */
export function FoundIdentity({ identity, renderedAt }: { identity: Identity; renderedAt: string }) {
  const t = useTranslations('home.lookup');
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2>
          <Name>{identity.domain ?? identity.beo_id}</Name>
        </h2>
        <StateBadge state={identity.status} />
      </div>
      <p className="mt-1 text-muted">{t(`sentence.${identity.status}`)}</p>
      <dl className="mt-5 divide-y divide-line border-t border-line *:last:pb-0">
        {identity.public_key && (
          <Line name={t('key')}>
            <Identifier value={identity.public_key} what="publicKey" />
          </Line>
        )}
        {identity.public_key && (
          <Line name={t('keyVersion')}>
            {identity.key_version === 1 ? t('firstKey') : t('changedKey', { version: identity.key_version })}
          </Line>
        )}
        <Line name={t('since')}>
          <Moment at={identity.created_at} renderedAt={renderedAt} />
        </Line>
        {identity.status === 'LOCKED' && identity.locked_at && (
          <Line name={t('lockedAt')}>
            <Moment at={identity.locked_at} renderedAt={renderedAt} />
          </Line>
        )}
        {identity.status === 'DESTROYED' && (
          <Line name={t('destroyedAt')}>
            <Moment at={identity.updated_at} renderedAt={renderedAt} />
          </Line>
        )}
        <Line name={t('onNetwork')}>
          <LedgerStatus status={identity.ledger.status} />
          <span className="mt-1 block text-sm text-muted">{t('latestEntry', { seq: identity.ledger.seq })}</span>
        </Line>
        <Line name={t('transaction')}>
          <Identifier value={identity.arweave_tx} what="transactionId" keep={10} />
        </Line>
      </dl>
      <p className="mt-4">
        <LocalLink
          href={`/explore/${identity.domain ?? identity.beo_id}`}
          className={clsx(textLink, 'inline-block py-2')}
        >
          {t('history')}
        </LocalLink>
      </p>
    </Card>
  );
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 py-3 sm:grid-cols-[8.5rem_1fr] sm:items-baseline">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
