'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Scope } from '../../protocol/entities/token.ts';
import { useScopeWords } from './use-scope-words.ts';

type ScopeSummaryProps = {
  scope: Scope;
  /** The number of categories that are named; the rest are counted. */
  categoriesAtMost?: number;
  /** More facts of the same list. */
  children?: ReactNode;
  className?: string;
};

/** A summary of the scope of a consent; limits that do not apply are left out. Needs the messages of `scope`. */
export function ScopeSummary({ scope, categoriesAtMost, children, className = 'space-y-2' }: ScopeSummaryProps) {
  const t = useTranslations('scope');
  const words = useScopeWords();
  const { intents, categories } = scope;
  return (
    <dl className={className}>
      <Fact name={t('may')}>
        <Label>{words.intents(intents)}</Label>
      </Fact>
      <Fact name={t('about')}>
        <Label>{words.categories(categories, categoriesAtMost)}</Label>
      </Fact>
      <ScopeLimits scope={scope} />
      {children}
    </dl>
  );
}

/** The limits of a scope, as lines of a list of facts. */
export function ScopeLimits({ scope: { levels, period, max_records: most } }: { scope: Scope }) {
  const t = useTranslations('scope');
  const words = useScopeWords();
  return (
    <>
      {levels.length > 0 && (
        <Fact name={t('kinds')}>
          <Label>{words.levels(levels)}</Label>
        </Fact>
      )}
      {period && (
        <Fact name={t('collected')}>
          <Label>{words.period(period)}</Label>
        </Fact>
      )}
      {most !== null && <Fact name={t('atMost')}>{t('records', { count: most })}</Fact>}
    </>
  );
}

/** A label that the messages have in lower case, for lists. */
export function Label({ children }: { children: ReactNode }) {
  return <span className="block first-letter:uppercase">{children}</span>;
}

/** One line of a list of facts. */
export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="sm:grid sm:grid-cols-[7rem_minmax(0,1fr)] sm:items-baseline sm:gap-x-4">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
