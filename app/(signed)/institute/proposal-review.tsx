'use client';

import { useTranslations } from 'use-intl/react';
import { endOfDay } from '../../../protocol/days.ts';
import { Fact } from '../../_ui/scope-summary.tsx';
import { StateBadge } from '../../_ui/state-badge.tsx';
import { useDay } from '../../_ui/use-day.ts';
import { useScopeWords } from '../../_ui/use-scope-words.ts';
import { certifies } from './certification-draft.ts';
import { needsReason, type ProposalDraft } from './proposal-draft.ts';

/** What a proposal will say, before it is sent. */
export function ProposalReview({ draft }: { draft: ProposalDraft }) {
  const t = useTranslations('institute');
  const words = useScopeWords();
  const day = useDay();
  const { action, institution, level, expires, reason, justification } = draft;
  const end = endOfDay(expires);
  if (!action || !institution) return null;
  return (
    <>
      <dl className="space-y-2 rounded-lg border border-line bg-surface p-5">
        <Fact name={t('review.action')}>
          <span className="font-semibold">{t(`propose.choice.${action}.name`)}</span>
        </Fact>
        <Fact name={t('review.institution')}>
          <span className="font-semibold">{institution.display_name}</span> {institution.domain}{' '}
          <StateBadge state={institution.status} />
        </Fact>
        {action === 'changeCertLevel' && level && (
          <>
            <Fact name={t('review.level')}>
              <span className="inline-block first-letter:uppercase">{words.certLevel(level)}</span>
            </Fact>
            {certifies(level) && (
              <Fact name={t('review.until')}>
                {end === null ? t('review.noEnd') : day(new Date(end).toISOString())}
              </Fact>
            )}
          </>
        )}
        {needsReason(action) && <Fact name={t('propose.reason')}>{reason.trim()}</Fact>}
        <Fact name={t('propose.why')}>{justification.trim()}</Fact>
      </dl>
      {action !== 'changeCertLevel' && <p>{t(`effect.${action}`)}</p>}
      <p className="font-semibold">{t('review.public')}</p>
    </>
  );
}
