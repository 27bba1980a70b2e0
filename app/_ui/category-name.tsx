'use client';

import { useTranslations } from 'use-intl/react';

type Key = Parameters<ReturnType<typeof useTranslations<'scope.category'>>>[0];

/** The name of a category as a heading; its code where it has no name. Needs the messages of `scope`. */
export function CategoryName({ code }: { code: string }) {
  const name = useCategoryName()(code);
  return <span className="inline-block first-letter:uppercase">{name}</span>;
}

export function useCategoryName(): (code: string) => string {
  const t = useTranslations('scope.category');
  return (code) => (t.has(code as Key) ? t(code as Key) : code);
}
