'use client';

import { BadgeCheck, BadgeX } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { IeoView } from '../../../../protocol/entities/ieo.ts';
import { Card } from '../../../_ui/card.tsx';
import { useNow } from '../../../_ui/now.ts';
import { Fact } from '../../../_ui/scope-summary.tsx';
import { useDay } from '../../../_ui/use-day.ts';
import { useScopeWords } from '../../../_ui/use-scope-words.ts';

type Certified = Pick<IeoView, 'certification' | 'status' | 'updated_at'>;

/** The certification of an institution by the institute. */
export function CertificationCard({ institution }: { institution: Certified }) {
  const t = useTranslations('institution.certification');
  const day = useDay();
  const words = useScopeWords();
  const now = useNow(institution.updated_at);
  const { level, granted_at: since, expires_at: until, categories, intents } = institution.certification;
  const isNone = level === 'UNCERTIFIED';
  const hasEnded = until !== null && now >= Date.parse(until);
  const Icon = isNone || hasEnded ? BadgeX : BadgeCheck;
  return (
    <Card className="space-y-3">
      <h2>{t('title')}</h2>
      <p className="flex items-center gap-2 text-lg font-bold">
        <Icon aria-hidden className="size-6 shrink-0 text-accent" />
        <span className="first-letter:uppercase">{isNone ? t('none') : words.certLevel(level)}</span>
      </p>
      {isNone && <p className="text-muted">{t('noneBody')}</p>}
      {hasEnded && <p className="font-semibold text-danger-ink">{t('ended', { day: day(until) })}</p>}
      {!isNone && !hasEnded && institution.status !== 'ACTIVE' && <p className="text-muted">{t('notActive')}</p>}
      {!isNone && (
        <dl className="space-y-2">
          {since && <Fact name={t('since')}>{day(since)}</Fact>}
          {!hasEnded && <Fact name={t('until')}>{until ? day(until) : t('noEnd')}</Fact>}
          <Fact name={t('categories')}>{categories.length > 0 ? words.categories(categories) : t('anything')}</Fact>
          <Fact name={t('intents')}>{intents.length > 0 ? words.intents(intents as Intents) : t('anything')}</Fact>
        </dl>
      )}
    </Card>
  );
}

/** Validated when the institute certified (protocol §4). */
type Intents = Parameters<ReturnType<typeof useScopeWords>['intents']>[0];
