'use client';

import { useTranslations } from 'use-intl/react';
import type { CertLevel, IeoType } from '../../protocol/entities/ieo.ts';
import type { Intent } from '../../protocol/entities/intents.ts';
import type { Scope } from '../../protocol/entities/token.ts';
import { useFormats } from '../_i18n/use-formats.ts';
import { useCategoryName } from './category-name.tsx';
import { useDay } from './use-day.ts';

export interface ScopeWords {
  /** “read records”, in lower case for lists; `first-letter:uppercase` makes it a label. */
  intent(intent: Intent): string;
  /** A sentence that explains an intent. */
  intentMeans(intent: Intent): string;
  /** “read records and add records”. */
  intents(intents: readonly Intent[]): string;
  /** By code or `*`; a code without a name is shown itself. */
  category(code: string): string;
  /** With `atMost`, the rest are counted: “hormones, vitamins and 7 more”. */
  categories(codes: readonly string[], atMost?: number): string;
  level(level: string): string;
  levels(levels: readonly string[]): string;
  ieoType(type: IeoType): string;
  certLevel(level: CertLevel): string;
  /** “from 1 March 2026 on”, or “at any time”. */
  period(period: Scope['period']): string;
  /** “until 3 March 2027”, or “until it is withdrawn”. */
  end(expiresAt: string | null): string;
}

type Level = Parameters<ReturnType<typeof useTranslations<'scope.level'>>>[0];

/** The parts of a scope in words. Needs the messages of `scope`. */
export function useScopeWords(): ScopeWords {
  const t = useTranslations('scope');
  const format = useFormats();
  const day = useDay();
  const categoryName = useCategoryName();
  const levelName = useTranslations('scope.level');

  const words: ScopeWords = {
    intent: (intent) => t(`intent.${intent}.name`),
    intentMeans: (intent) => t(`intent.${intent}.what`),
    intents: (intents) => format.list(intents.map(words.intent)),
    category: categoryName,
    categories(codes, atMost = codes.length) {
      const names = codes.map(words.category);
      // A single remaining one is as short as “1 more”.
      if (names.length <= atMost + 1) return format.list(names);
      return t('many', { first: names.slice(0, atMost).join(', '), count: names.length - atMost });
    },
    level: (level) => (levelName.has(level as Level) ? levelName(level as Level) : level),
    levels: (levels) => format.list(levels.map(words.level)),
    ieoType: (type) => t(`ieoType.${type}`),
    certLevel: (level) => t(`certLevel.${level}`),
    period(period) {
      const { from, to } = period ?? {};
      if (from && to) return t('between', { from: day(from), to: day(to) });
      if (from) return t('from', { from: day(from) });
      return to ? t('to', { to: day(to) }) : t('anyTime');
    },
    end: (expiresAt) => (expiresAt ? t('until', { day: day(expiresAt) }) : t('untilWithdrawn')),
  };
  return words;
}
