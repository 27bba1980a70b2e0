'use client';

import { useTranslations } from 'use-intl/react';
import { entryWords } from '../../messages/entry-words.ts';
import { useDay } from './use-day.ts';
import { useScopeWords } from './use-scope-words.ts';

type WordedEntry = Parameters<typeof entryWords>[1];

/** What happened by an entry, in words. Needs the messages of `entryWords`, `operations` and `scope`. */
export function useEntryWords(): (entry: WordedEntry) => string {
  const parts = {
    t: useTranslations('entryWords'),
    operations: useTranslations('operations'),
    scope: useScopeWords(),
    day: useDay(),
  };
  return (entry) => entryWords(parts, entry);
}
