import { operationLabel } from '../../messages/operation-label.ts';
import type { FUNCTIONS } from '../../server/http/trpc/entry-list.ts';
import { chosenLocale, requestLocale } from '../_i18n/request-locale.ts';
import { translator } from '../_i18n/translator.ts';
import { Button } from '../_ui/button.tsx';
import { Folded } from '../_ui/folded.tsx';
import { LocalLink } from '../_ui/local-link.tsx';
import { Select } from '../_ui/select.tsx';
import { textLink } from '../_ui/text-link.ts';
import { csvAddress, type EntryFilters, isSelective, MAX_CSV_ENTRIES, STATUSES } from './entry-address.ts';

type FiltersProps = { filters: EntryFilters; functions: typeof FUNCTIONS };

/** The filters of the list of entries: a form that opens the list at its address, without scripts. Folded on a phone. */
export async function Filters({ filters, functions }: FiltersProps) {
  const t = await translator('explore');
  const operations = await translator('operations');
  const lang = await chosenLocale();
  return (
    <div className="mb-3">
      <Folded id="filters" title={t('list.filters')} className="lg:max-h-none lg:overflow-visible">
        <form
          // The chosen values are those of the address, also after the browser's back button.
          key={JSON.stringify(filters)}
          autoComplete="off"
          action="/explore#latest"
          aria-label={t('list.filters')}
          className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[minmax(0,2fr)_repeat(4,minmax(0,1fr))_auto]"
        >
          {lang && <input type="hidden" name="lang" value={lang} />}
          <div className="max-lg:col-span-2">
            <Select label={t('list.function')} name="function" defaultValue={filters.function ?? ''}>
              <option value="">{t('list.any')}</option>
              {withoutRepeats(functions).map(({ kind, functions: names }) => (
                <optgroup key={kind} label={t(`list.kinds.${kind}`)}>
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
          {(['from', 'to'] as const).map((name) => (
            <label key={name} className="block min-w-0 text-sm font-semibold">
              {t(`list.${name}`)}
              <input
                type="date"
                name={name}
                defaultValue={filters[name] ?? ''}
                className="mt-1 block min-h-11 w-full min-w-0 rounded-md border-2 border-edge bg-surface px-2 text-base font-normal text-ink hover:border-ink"
              />
            </label>
          ))}
          <Button type="submit" look="secondary" className="max-lg:col-span-2">
            {t('list.apply')}
          </Button>
        </form>
      </Folded>
      <p className="mt-1 flex flex-wrap items-center gap-x-4 text-sm text-muted">
        <a
          href={csvAddress(filters, await requestLocale())}
          download
          className={`${textLink} inline-flex min-h-11 items-center`}
        >
          {t('list.csv')}
        </a>
        <span className="max-sm:order-1">{t('list.csvLimit', { most: MAX_CSV_ENTRIES })}</span>
        {isSelective(filters) && (
          <LocalLink href="/explore#latest" className={`${textLink} inline-flex min-h-11 items-center`}>
            {t('list.clear')}
          </LocalLink>
        )}
      </p>
    </div>
  );
}

/** Those that two kinds share are listed once, in a group of their own. */
function withoutRepeats(groups: typeof FUNCTIONS) {
  const all = groups.flatMap(({ functions }) => functions);
  const isShared = (name: string) => all.indexOf(name) !== all.lastIndexOf(name);
  return [
    { kind: 'shared' as const, functions: [...new Set(all.filter(isShared))] },
    ...groups.map(({ kind, functions }) => ({
      kind: kind ?? ('ledger' as const),
      functions: functions.filter((name) => !isShared(name)),
    })),
  ];
}
