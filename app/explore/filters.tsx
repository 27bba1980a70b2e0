'use client';

import { useSearchParams } from 'next/navigation';
import type { FormEvent } from 'react';
import { useTranslations } from 'use-intl/react';
import type { FUNCTIONS } from '../../server/http/trpc/entry-list.ts';
import { Button } from '../_ui/button.tsx';
import { LocalLink, useGo } from '../_ui/local-link.tsx';
import { useOperationLabel } from '../_ui/operation-label.ts';
import { Select } from '../_ui/select.tsx';
import { type EntryFilters, entryQuery, listAddress, STATUSES } from './entry-address.ts';

type FiltersProps = { filters: EntryFilters; functions: typeof FUNCTIONS };

/** The filters of the list of entries. They are in the address, and work without scripts. */
export function Filters({ filters, functions }: FiltersProps) {
  const t = useTranslations('explore.list');
  const labelOf = useOperationLabel();
  const go = useGo();
  const lang = useSearchParams().get('lang');
  const isFiltered = filters.function !== null || filters.kind !== null || filters.status !== null;

  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const chosen = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    go(listAddress(entryQuery(chosen)));
  };

  return (
    <form
      // The chosen values are those of the address, also after the browser's back button.
      key={JSON.stringify(filters)}
      action="/explore#latest"
      onSubmit={apply}
      aria-label={t('filters')}
      className="mb-6 grid grid-cols-2 items-end gap-3 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_auto] print:hidden"
    >
      {lang && <input type="hidden" name="lang" value={lang} />}
      <div className="max-lg:col-span-2">
        <Select label={t('function')} name="function" defaultValue={filters.function ?? ''}>
          <option value="">{t('any')}</option>
          {functions.map(({ kind, functions: names }) => (
            <optgroup key={kind} label={t(`kinds.${kind ?? 'ledger'}`)}>
              {names.map((name) => (
                <option key={name} value={name}>
                  {labelOf(name)}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      </div>
      <Select label={t('kind')} name="kind" defaultValue={filters.kind ?? ''}>
        <option value="">{t('any')}</option>
        {functions.flatMap(({ kind }) =>
          kind === null
            ? []
            : [
                <option key={kind} value={kind}>
                  {t(`kinds.${kind}`)}
                </option>,
              ],
        )}
      </Select>
      <Select label={t('status')} name="status" defaultValue={filters.status ?? ''}>
        <option value="">{t('any')}</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {t(`statuses.${status}`)}
          </option>
        ))}
      </Select>
      <div className="flex flex-wrap items-center gap-3 max-lg:col-span-2">
        <Button type="submit" look="secondary">
          {t('apply')}
        </Button>
        {isFiltered && (
          <Button asChild look="quiet">
            <LocalLink href="/explore#latest">{t('clear')}</LocalLink>
          </Button>
        )}
      </div>
    </form>
  );
}
