'use client';

import { Columns3 } from 'lucide-react';
import { useId } from 'react';
import { useTranslations } from 'use-intl/react';

type ColumnChoiceProps = {
  /** Those that may be hidden. */
  columns: readonly { readonly key: string; readonly name: string }[];
  hidden: readonly string[];
  onHide: (hidden: readonly string[]) => void;
};

/** Which columns of a table are shown. */
export function ColumnChoice({ columns, hidden, onHide }: ColumnChoiceProps) {
  const t = useTranslations('common.table');
  const id = useId();
  return (
    <details className="relative">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-md border-2 border-edge bg-surface px-4 font-semibold hover:border-ink hover:bg-sunken">
        <Columns3 aria-hidden className="size-5" />
        {t('columns')}
      </summary>
      <fieldset className="absolute right-0 z-10 mt-1 w-max max-w-[80vw] rounded-md border border-line bg-surface px-4 py-2 shadow-lg max-sm:right-auto max-sm:left-0">
        <legend className="sr-only">{t('columns')}</legend>
        {columns.map(({ key, name }) => (
          <div key={key} className="flex items-center gap-3">
            <input
              id={`${id}${key}`}
              type="checkbox"
              checked={!hidden.includes(key)}
              onChange={({ target }) =>
                onHide(target.checked ? hidden.filter((other) => other !== key) : [...hidden, key])
              }
              className="size-5 shrink-0 cursor-pointer accent-accent"
            />
            <label htmlFor={`${id}${key}`} className="min-h-11 grow cursor-pointer py-2.5">
              {name}
            </label>
          </div>
        ))}
      </fieldset>
    </details>
  );
}
