'use client';

import { useTranslations } from 'use-intl/react';

type Key = Parameters<ReturnType<typeof useTranslations<'scope.category'>>>[0];

/** What a category is about, in plain words, as a heading; its code where there are none. Needs the messages of `scope`. */
export function CategoryName({ code }: { code: string }) {
  const name = useCategoryName()(code);
  return <span className="inline-block first-letter:uppercase">{name}</span>;
}

export function useCategoryName(): (code: string) => string {
  const t = useTranslations('scope.category');
  return (code) => (t.has(code as Key) ? t(code as Key) : code);
}
