'use client';

import { useTranslations } from 'use-intl/react';
import { endOfDay } from '../../../protocol/days.ts';
import { INTENTS } from '../../../protocol/entities/intents.ts';
import { CATEGORIES } from '../../../protocol/records/taxonomy.ts';
import { Fact } from '../../_ui/scope-summary.tsx';
import { StateBadge } from '../../_ui/state-badge.tsx';
import { useDay } from '../../_ui/use-day.ts';
import { useScopeWords } from '../../_ui/use-scope-words.ts';
import { type CertificationDraft, certifies } from './certification-draft.ts';

/** What a certification will be, before it is sent. */
export function CertificationReview({ draft }: { draft: CertificationDraft }) {
  const t = useTranslations('institute.review');
  const words = useScopeWords();
  const day = useDay();
  const { institution, level, expires, categories, intents } = draft;
  const end = endOfDay(expires);
  if (!institution || !level) return null;
  return (
    <>
      <p>{t(certifies(level) ? 'lead' : 'leadWithdrawn')}</p>
      <dl className="space-y-2 rounded-lg border border-line bg-surface p-5">
        <Fact name={t('institution')}>
          <span className="font-semibold">{institution.display_name}</span> {institution.domain}{' '}
          <StateBadge state={institution.status} />
        </Fact>
        <Fact name={t('level')}>
          <span className="inline-block font-semibold first-letter:uppercase">{words.certLevel(level)}</span>
        </Fact>
        {certifies(level) && (
          <>
            <Fact name={t('until')}>{end === null ? t('noEnd') : day(new Date(end).toISOString())}</Fact>
            <Fact name={t('intents')}>
              {intents.length > 0 ? words.intents(INTENTS.filter((intent) => intents.includes(intent))) : t('every')}
            </Fact>
            <Fact name={t('categories')}>
              {categories.length > 0
                ? words.categories(CATEGORIES.filter((code) => categories.includes(code)))
                : t('all')}
            </Fact>
          </>
        )}
      </dl>
      <p className="font-semibold">{t('public')}</p>
    </>
  );
}
