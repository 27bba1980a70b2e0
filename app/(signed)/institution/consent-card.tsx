'use client';

import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Fact, ScopeSummary } from '../../_ui/scope-summary.tsx';
import { consentState, StateBadge } from '../../_ui/state-badge.tsx';
import { textLink } from '../../_ui/text-link.ts';
import { useDay } from '../../_ui/use-day.ts';
import { useScopeWords } from '../../_ui/use-scope-words.ts';

const MAX_CATEGORIES = 6;

/** One received consent. */
export function ConsentCard({ consent, usable }: { consent: TokenView; usable: boolean }) {
  const t = useTranslations('institution.consents');
  const day = useDay();
  const words = useScopeWords();
  const { token_id: id, beo_domain: holder, status, scope, granted_at, expires_at, revoked_at } = consent;
  const address = (page: string) => `/institution/${page}?${new URLSearchParams({ consent: id })}`;
  const can = (intent: TokenView['scope']['intents'][number]) =>
    usable && status === 'ACTIVE' && scope.intents.includes(intent);
  return (
    <article className="rounded-lg border border-line bg-surface p-5">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <h2 className="min-w-0 text-lg break-words">{holder ?? t('nobody')}</h2>
        <StateBadge state={consentState(status)} />
      </div>
      <ScopeSummary scope={scope} categoriesAtMost={MAX_CATEGORIES} className="mt-3 space-y-2">
        <Fact name={t('given')}>{day(granted_at)}</Fact>
        {status === 'ACTIVE' && <Fact name={t('holds')}>{words.end(expires_at)}</Fact>}
        {status === 'EXPIRED' && expires_at && <Fact name={t('endedOn')}>{day(expires_at)}</Fact>}
        {status === 'REVOKED' && revoked_at && <Fact name={t('withdrawnOn')}>{day(revoked_at)}</Fact>}
      </ScopeSummary>
      <p className="mt-3 flex flex-wrap gap-x-5">
        {can('SUBMIT_RECORD') && (
          <LocalLink href={address('submit')} className={link}>
            {t('submit')}
          </LocalLink>
        )}
        {can('READ_RECORDS') && (
          <LocalLink href={address('read')} className={link}>
            {t('read')}
          </LocalLink>
        )}
        {can('EXPORT_DATA') && (
          <LocalLink href={address('export')} className={link}>
            {t('export')}
          </LocalLink>
        )}
        <LocalLink href={`/explore/${id}`} className={link}>
          {t('see')}
        </LocalLink>
      </p>
    </article>
  );
}

const link = `${textLink} inline-flex min-h-11 items-center`;
