'use client';

import { BadgeCheck, CircleAlert } from 'lucide-react';
import { useId } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { Badge } from './badge.tsx';
import { useScopeWords } from './use-scope-words.ts';

/** The members of an institution that its mark shows. */
export type Marked = Pick<Answers['institution'], 'certified' | 'certification' | 'domain_above'>;

export type MarkProps = {
  /** Within a link or a button, in which nothing else can be pressed. Its list ends with a CertificationLegend. */
  isWithin?: boolean;
};

/**
 * Shows whether an institution is certified, and whether its parent domain has another owner. Pressing it shows what that means,
 * also without scripts. Needs the messages of `scope`.
 */
export function CertificationMark({ institution, isWithin = false }: MarkProps & { institution: Marked }) {
  const t = useTranslations('scope.certification');
  const words = useScopeWords();
  const id = useId();
  const { certified, certification, domain_above: above } = institution;
  const { level, categories, intents } = certification;
  const isLimited = certified && categories.length + intents.length > 0;
  const badge = (
    <Badge tone={certified ? 'accent' : 'neutral'} className="align-middle">
      {certified && <BadgeCheck aria-hidden />}
      <span className="inline-block first-letter:uppercase">
        {words.certLevel(certified ? level : 'UNCERTIFIED')}
        {isLimited && `, ${t('limited')}`}
      </span>
    </Badge>
  );
  return (
    <>
      {isWithin ? (
        badge
      ) : (
        <>
          <button
            type="button"
            popoverTarget={id}
            className="relative min-h-6 max-w-full cursor-help text-left align-middle after:absolute after:-inset-y-2 after:inset-x-0"
          >
            {badge}
          </button>
          <span id={id} popover="auto" className="note-at-button">
            {t(certified ? 'means' : 'meansNot')}
            {isLimited && ` ${t('meansLimited')}`}
          </span>
        </>
      )}
      {above !== null && (
        <span className="mt-1 flex gap-1.5 text-sm font-normal text-caution-ink">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 break-words">{t('above', { above })}</span>
        </span>
      )}
    </>
  );
}

/** What the marks of a list mean, whose rows are links or buttons. */
export function CertificationLegend() {
  const t = useTranslations('scope.certification');
  return <p className="text-sm text-muted print:hidden">{t('legend')}</p>;
}
