'use client';

import { useTranslations } from 'use-intl/react';
import { notCertifiedFor } from '../../protocol/entities/certified-for.ts';
import { INTENTS } from '../../protocol/entities/intents.ts';
import type { Scope } from '../../protocol/entities/token.ts';
import type { Marked } from './certification-mark.tsx';
import { useScopeWords } from './use-scope-words.ts';

/** The limits of a certification, in a sentence; null without limits or certification. */
export function useCertifiedOnlyFor(): (institution: Marked) => string | null {
  const t = useTranslations('scope.certification');
  const words = useScopeWords();
  return ({ certified, certification: { categories, intents } }) => {
    if (!certified || categories.length + intents.length === 0) return null;
    const purposes = INTENTS.filter((intent) => intents.includes(intent));
    return t('only', {
      what: [
        ...(purposes.length > 0 ? [words.intents(purposes)] : []),
        ...(categories.length > 0 ? [words.categories(categories)] : []),
      ].join('; '),
    });
  };
}

/** The part of a scope that a certification does not cover, in a sentence; null where it covers all, or there is none. */
export function useNotCertifiedFor(): (
  institution: Marked,
  scope: Pick<Scope, 'intents' | 'categories'>,
) => string | null {
  const t = useTranslations('scope.certification');
  const words = useScopeWords();
  return ({ certified, certification }, scope) => {
    if (!certified) return null;
    const { intents, categories } = notCertifiedFor(certification, scope);
    const others = categories.includes('*')
      ? t('otherData', { categories: words.categories(certification.categories) })
      : words.categories(categories);
    const what = [...(intents.length > 0 ? [words.intents(intents)] : []), ...(categories.length > 0 ? [others] : [])];
    return what.length === 0 ? null : t('beyond', { what: what.join('; ') });
  };
}
