import type { FUNCTIONS } from '../../server/http/trpc/entry-list.ts';
import { chosenLocale } from '../_i18n/request-locale.ts';
import { translator } from '../_i18n/translator.ts';
import { Button } from '../_ui/button.tsx';
import { LocalLink } from '../_ui/local-link.tsx';
import { operationLabel } from '../_ui/operation-label.ts';
import { Select } from '../_ui/select.tsx';
import { type EntryFilters, STATUSES } from './entry-address.ts';

type FiltersProps = { filters: EntryFilters; functions: typeof FUNCTIONS };

/** The filters of the list of entries: a form that opens the list at its address, without scripts. */
export async function Filters({ filters, functions }: FiltersProps) {
  const t = await translator('explore');
  const operations = await translator('operations');
  const lang = await chosenLocale();
  const isFiltered = filters.function !== null || filters.kind !== null || filters.status !== null;
  return (
    <form
      // The chosen values are those of the address, also after the browser's back button.
      key={JSON.stringify(filters)}
      autoComplete="off"
      action="/explore#latest"
      aria-label={t('list.filters')}
      className="mb-6 grid grid-cols-2 items-end gap-3 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_auto] print:hidden"
    >
      {lang && <input type="hidden" name="lang" value={lang} />}
      <div className="max-lg:col-span-2">
        <Select label={t('list.function')} name="function" defaultValue={filters.function ?? ''}>
          <option value="">{t('list.any')}</option>
          {functions.map(({ kind, functions: names }) => (
            <optgroup key={kind} label={t(`list.kinds.${kind ?? 'ledger'}`)}>
              {names.map((name) => (
                <option key={name} value={name}>
                  {operationLabel(operations, name)}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      </div>
      <Select label={t('list.kind')} name="kind" defaultValue={filters.kind ?? ''}>
        <option value="">{t('list.any')}</option>
        {functions.flatMap(({ kind }) =>
          kind === null
            ? []
            : [
                <option key={kind} value={kind}>
                  {t(`list.kinds.${kind}`)}
                </option>,
              ],
        )}
      </Select>
      <Select label={t('list.status')} name="status" defaultValue={filters.status ?? ''}>
        <option value="">{t('list.any')}</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {t(`list.statuses.${status}`)}
          </option>
        ))}
      </Select>
      <div className="flex flex-wrap items-center gap-3 max-lg:col-span-2">
        <Button type="submit" look="secondary">
          {t('list.apply')}
        </Button>
        {isFiltered && (
          <Button asChild look="quiet">
            <LocalLink href="/explore#latest">{t('list.clear')}</LocalLink>
          </Button>
        )}
      </div>
    </form>
  );
}
