'use client';

import { BadgeCheck, CircleAlert } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import type { Answers } from '../../server/http/trpc/router.ts';
import { Badge } from './badge.tsx';
import { useScopeWords } from './use-scope-words.ts';

/** The members of an institution that its mark shows. */
export type Marked = Pick<Answers['institution'], 'certified' | 'certification' | 'domain_above'>;

/** Shows whether an institution is certified, and whether its parent domain has another owner. Needs the messages of `scope`. */
export function CertificationMark({ institution }: { institution: Marked }) {
  const t = useTranslations('scope.certification');
  const words = useScopeWords();
  const { certified, certification, domain_above: above } = institution;
  const { level, categories, intents } = certification;
  const isLimited = certified && categories.length + intents.length > 0;
  return (
    <>
      <Badge
        tone={certified ? 'accent' : 'neutral'}
        className="align-middle"
        title={t(certified ? 'means' : 'meansNot')}
      >
        {certified && <BadgeCheck aria-hidden />}
        <span className="inline-block first-letter:uppercase">
          {words.certLevel(certified ? level : 'UNCERTIFIED')}
          {isLimited && `, ${t('limited')}`}
        </span>
      </Badge>
      {above !== null && (
        <span className="mt-1 flex gap-1.5 text-sm font-normal text-caution-ink">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 break-words">{t('above', { above })}</span>
        </span>
      )}
    </>
  );
}
