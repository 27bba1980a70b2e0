'use client';

import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { CertificationMark } from '../_ui/certification-mark.tsx';
import { useNotCertifiedFor } from '../_ui/certified-for.tsx';
import { pageOf } from '../_ui/explore-address.ts';
import { Identifier } from '../_ui/identifier.tsx';
import { LedgerStatus } from '../_ui/ledger-status.tsx';
import { Moment } from '../_ui/moment.tsx';
import { Name } from '../_ui/name.tsx';
import { consentState, StateBadge } from '../_ui/state-badge.tsx';
import { useScopeWords } from '../_ui/use-scope-words.ts';
import { Facts, Line } from './fact-list.tsx';
import { Heading } from './heading.tsx';
import { PartyLink } from './party-link.tsx';
import { RawJson } from './raw-json.tsx';

type Explored = Extract<Answers['explore']['found'], { kind: 'consent' }>;

/** The current state of a consent: its parties, its scope and its status. */
export function Consent({ consent, institution, renderedAt }: Omit<Explored, 'kind'> & { renderedAt: string }) {
  const t = useTranslations('explore');
  const state = useTranslations('common.state');
  const scope = useTranslations('scope');
  const words = useScopeWords();
  const { token, valid, reason } = consent;
  const beyond = useNotCertifiedFor();
  const notCertified = institution && beyond(institution, token.scope);
  const { intents, categories, levels, period, max_records: most } = token.scope;
  return (
    <article>
      <Heading
        kind={t('kind.consent')}
        above={[
          { name: <Name>{token.beo_domain ?? token.beo_id}</Name>, href: pageOf(token.beo_domain ?? token.beo_id) },
        ]}
        title={
          <>
            {t('consent.to')} <Name>{token.ieo_domain ?? token.ieo_id}</Name>
          </>
        }
        badge={(valid || token.status !== 'ACTIVE') && <StateBadge state={consentState(token.status)} />}
      >
        <p>{valid ? t('consent.holds') : t('consent.holdsNot', { reason: reason ?? '' })}</p>
      </Heading>
      <Facts>
        <Line name={t('consent.by')}>
          <PartyLink domain={token.beo_domain} id={token.beo_id} />
        </Line>
        <Line name={t('consent.for')}>
          <PartyLink domain={token.ieo_domain} id={token.ieo_id} />{' '}
          {institution && <CertificationMark institution={institution} />}
          {notCertified && <span className="block text-sm text-caution-ink">{notCertified}</span>}
          {token.ieo_id === token.beo_id && <span className="block text-sm text-muted">{t('consent.self')}</span>}
        </Line>
        <Line name={scope('may')}>{words.intents(intents)}</Line>
        <Line name={scope('about')}>{words.categories(categories)}</Line>
        {levels.length > 0 && <Line name={scope('kinds')}>{words.levels(levels)}</Line>}
        {period && <Line name={scope('collected')}>{words.period(period)}</Line>}
        {most !== null && <Line name={scope('atMost')}>{scope('records', { count: most })}</Line>}
        <Line name={scope('holds')}>{words.end(token.expires_at)}</Line>
        <Line name={t('consent.given')}>
          <Moment at={token.granted_at} renderedAt={renderedAt} />
        </Line>
        {token.revoked_at && (
          <Line name={state('WITHDRAWN')}>
            <Moment at={token.revoked_at} renderedAt={renderedAt} />
          </Line>
        )}
        <Line name={t('fact.status')}>
          <LedgerStatus status={token.ledger.status} />
        </Line>
        <Line name={t('fact.createdBy')}>
          <Identifier value={token.arweave_tx} what="transactionId" keep={10} href={pageOf(token.arweave_tx)} />
        </Line>
        <Line name={t('fact.id')}>
          <Identifier value={token.token_id} what="consentId" keep={12} />
        </Line>
      </Facts>
      <RawJson value={token} />
    </article>
  );
}
