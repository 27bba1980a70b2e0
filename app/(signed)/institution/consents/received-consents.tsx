'use client';

import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { dayOf } from '../../../../protocol/days.ts';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { useInstitution } from '../../../_session/current.tsx';
import { Refused } from '../../../_trpc/refused.tsx';
import { useAddress } from '../../../_ui/address.ts';
import { Button } from '../../../_ui/button.tsx';
import { DataTable, useTableAhead } from '../../../_ui/data-table.tsx';
import { deferred } from '../../../_ui/deferred.tsx';
import { EmptyState } from '../../../_ui/empty-state.tsx';
import { LocalLink } from '../../../_ui/local-link.tsx';
import { saveFile } from '../../../_ui/save-file.ts';
import { SearchField } from '../../../_ui/search-field.tsx';
import { Select } from '../../../_ui/select.tsx';
import { TableSkeleton } from '../../../_ui/skeletons.tsx';
import { useSortChoice, useSorting } from '../../../_ui/sorting.ts';
import { useScopeWords } from '../../../_ui/use-scope-words.ts';
import { withParameters } from '../../../_ui/with-parameters.ts';
import {
  countsOf,
  EVERYTHING,
  filtered,
  filterIn,
  intentsOf,
  isFiltered,
  parametersOf,
  type ReceivedFilter,
  STATES,
} from '../received-filter.ts';
import { useReferences } from '../references.ts';
import { useAcceptedRequests } from '../use-accepted-requests.ts';
import { useReceived } from '../use-received-consents.ts';
import { useConsentColumns } from './consent-columns.tsx';

const ConsentDialog = deferred(async () => (await import('./consent-dialog.tsx')).ConsentDialog);

/** The consents that the institution has received, as a table. */
export function ReceivedConsents() {
  const t = useTranslations('institution.consents');
  const { view } = useInstitution();
  const { references, keep } = useReferences(view.ieo_id);
  const { filter, setFilter } = useFilter();
  const order = useSortChoice();
  useTableAhead();
  const { consents, frozen, failure, isLoading, isComplete, loadMore, save, isSaving } = useReceived(view.ieo_id, {
    isWhole: isFiltered(filter) || order.sort !== null,
    onSave: () => void saveShown(),
  });
  useAcceptedRequests(view.ieo_id, consents?.[0]?.token_id);
  const [open, setOpen] = useState<TokenView | null>(null);
  const applied = useDeferredValue(filter);
  const shown = useMemo(() => filtered(consents ?? [], applied, references), [consents, applied, references]);
  const columns = useConsentColumns({ frozen, references, onOpen: setOpen });
  const sorting = useSorting(shown, columns, order);
  const counts = countsOf(consents ?? []);

  const saveShown = async () => {
    const { consentsCsv } = await import('./consents-csv.ts');
    saveFile(
      `perpetua-consents-${view.domain}-${dayOf(Date.now())}.csv`,
      'text/csv',
      consentsCsv(sorting.rows, references),
    );
  };

  return (
    <div className="space-y-4">
      <h1>{t('title')}</h1>
      <p className="max-w-prose">{t('lead')}</p>
      {view.status === 'ACTIVE' && (
        <Button asChild>
          <LocalLink href="/institution/consents/ask">{t('ask')}</LocalLink>
        </Button>
      )}
      <Refused failure={failure} />
      {!consents && !failure && <TableSkeleton rows={8} />}
      {consents && counts.all === 0 && (
        <EmptyState title={t('none')}>
          <p className="text-muted">{t('noneBody')}</p>
        </EmptyState>
      )}
      {counts.all > 0 && (
        <>
          <Filters consents={consents ?? []} filter={filter} onFilter={setFilter} />
          <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 gap-y-1">
            <p role="status" className="text-muted tabular-nums">
              {isLoading
                ? t('loading', { count: counts.all })
                : t('counts', {
                    shown: shown.length,
                    all: counts.all,
                    active: counts.active,
                    complete: String(isComplete),
                  })}
            </p>
            <div className="flex flex-wrap gap-2">
              {isFiltered(filter) && (
                <Button look="quiet" onClick={() => setFilter(EVERYTHING)}>
                  {t('clear')}
                </Button>
              )}
            </div>
          </div>
          {shown.length === 0 && !isLoading && <p>{t('nothing')}</p>}
          {shown.length > 0 && (
            <div className="wide">
              <DataTable
                caption={t('list')}
                columns={columns}
                sorting={sorting}
                keyOf={({ token_id }) => token_id}
                kept="consents"
                onSave={save}
                isSaving={isSaving}
              />
            </div>
          )}
          {loadMore && (
            <Button look="secondary" onClick={loadMore}>
              {t('more')}
            </Button>
          )}
        </>
      )}
      {open && (
        <ConsentDialog
          consent={open}
          isFrozen={frozen.has(open.beo_id)}
          canUse={view.status === 'ACTIVE'}
          reference={references.get(open.beo_id) ?? ''}
          onReference={(reference) => keep(open.beo_id, reference)}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  );
}

/** All of the filter but the person is in the address: a history and a log of addresses must not name patients. */
function useFilter() {
  const { search, replace } = useAddress();
  const [filter, setFilter] = useState(() => filterIn(search));
  return {
    filter,
    setFilter(changed: ReceivedFilter) {
      setFilter(changed);
      const parameters = withParameters(search, parametersOf(changed));
      if (`${parameters}` !== `${search}`) replace(`?${parameters}`);
    },
  };
}

type FiltersProps = {
  consents: readonly TokenView[];
  filter: ReceivedFilter;
  onFilter: (filter: ReceivedFilter) => void;
};

function Filters({ consents, filter, onFilter }: FiltersProps) {
  const t = useTranslations('institution.consents');
  const words = useScopeWords();
  const intents = useMemo(() => intentsOf(consents), [consents]);
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-[2fr_1fr_1fr] sm:items-end">
      <div className="max-sm:col-span-2">
        <SearchField
          label={t('holder')}
          placeholder={t('holderHint')}
          value={filter.holder}
          onChange={(holder) => onFilter({ ...filter, holder })}
        />
      </div>
      <Select
        label={t('state')}
        value={filter.status ?? ''}
        onChange={({ target }) =>
          onFilter({ ...filter, status: STATES.find((status) => status === target.value) ?? null })
        }
      >
        <option value="">{t('any')}</option>
        {STATES.map((state) => (
          <option key={state} value={state}>
            {t(state)}
          </option>
        ))}
      </Select>
      <Select
        label={t('can')}
        value={filter.intent ?? ''}
        onChange={({ target }) =>
          onFilter({ ...filter, intent: intents.find((intent) => intent === target.value) ?? null })
        }
      >
        <option value="">{t('any')}</option>
        {intents.map((intent) => (
          <option key={intent} value={intent}>
            {words.intent(intent)}
          </option>
        ))}
      </Select>
    </div>
  );
}
