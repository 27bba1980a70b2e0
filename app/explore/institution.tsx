'use client';

import { useLocale, useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { CertificationMark } from '../_ui/certification-mark.tsx';
import { useCertifiedOnlyFor } from '../_ui/certified-for.tsx';
import { countryName } from '../_ui/country-name.ts';
import { pageOf } from '../_ui/explore-address.ts';
import { Identifier } from '../_ui/identifier.tsx';
import { LedgerStatus } from '../_ui/ledger-status.tsx';
import { Moment } from '../_ui/moment.tsx';
import { Name } from '../_ui/name.tsx';
import { StateBadge } from '../_ui/state-badge.tsx';
import { useScopeWords } from '../_ui/use-scope-words.ts';
import { Facts, Line } from './fact-list.tsx';
import { FeedLine } from './feed-line.tsx';
import { Heading } from './heading.tsx';
import { RawJson } from './raw-json.tsx';

type Explored = Extract<Answers['explore']['found'], { kind: 'institution' }>;
type InstitutionProps = Pick<Explored, 'institution' | 'certification'> & { renderedAt: string };

/** The current state of an institution and its certification. */
export function Institution({ institution, certification, renderedAt }: InstitutionProps) {
  const t = useTranslations('explore');
  const words = useScopeWords();
  const onlyFor = useCertifiedOnlyFor();
  const locale = useLocale();
  const country = countryName(institution.country ?? '', locale);
  const details = [country, institution.jurisdiction, institution.legal_id].filter(Boolean).join(' · ');
  return (
    <article>
      <Heading
        kind={t('kind.institution')}
        title={<Name>{institution.domain}</Name>}
        badge={<StateBadge state={institution.status} />}
      >
        <p>{t(`institution.sentence.${institution.status}`)}</p>
      </Heading>
      <Facts>
        <Line name={t('institution.calls')}>
          <span className="font-semibold">{institution.display_name ?? '–'}</span>
          <span className="block text-sm text-muted">{t('institution.unchecked')}</span>
        </Line>
        <Line name={t('institution.type')}>
          <span className="inline-block first-letter:uppercase">{words.ieoType(institution.ieo_type)}</span>
        </Line>
        {details && (
          <Line name={t('institution.says')}>
            {/* The names of countries differ between versions of Unicode CLDR. */}
            <span suppressHydrationWarning>{details}</span>
          </Line>
        )}
        <Line name={t('institution.certification')}>
          <CertificationMark institution={institution} />
          <span className="mt-1 block text-sm text-muted">
            {t(`institution.because.${certification.reason ?? 'CERTIFIED'}`)}
          </span>
          {onlyFor(institution) && <span className="block">{onlyFor(institution)}</span>}
          {certification.granted_at && <Moment at={certification.granted_at} renderedAt={renderedAt} />}
          {certification.expires_at && <span className="text-sm">{words.end(certification.expires_at)}</span>}
        </Line>
        {institution.contacts.api_endpoint && (
          <Line name={t('institution.endpoint')}>{institution.contacts.api_endpoint}</Line>
        )}
        {institution.contacts.webhook_url && (
          <Line name={t('institution.webhook')}>{institution.contacts.webhook_url}</Line>
        )}
        {institution.public_key && (
          <Line name={t('fact.publicKey')}>
            <Identifier value={institution.public_key} what="publicKey" />
          </Line>
        )}
        <Line name={t('fact.created')}>
          <Moment at={institution.created_at} renderedAt={renderedAt} />
        </Line>
        <Line name={t('fact.status')}>
          <LedgerStatus status={institution.ledger.status} />
        </Line>
        <Line name={t('fact.createdBy')}>
          <Identifier
            value={institution.arweave_tx}
            what="transactionId"
            keep={10}
            href={pageOf(institution.arweave_tx)}
          />
        </Line>
        <Line name={t('fact.id')}>
          <Identifier value={institution.ieo_id} what="institutionId" keep={12} />
        </Line>
        <FeedLine of="ieos" id={institution.ieo_id} name={institution.domain} />
      </Facts>
      <RawJson value={institution} />
    </article>
  );
}
