'use client';

import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useInstitution } from '../../../_session/current.tsx';
import { Refused } from '../../../_trpc/refused.tsx';
import { Button } from '../../../_ui/button.tsx';
import { LongList } from '../../../_ui/long-list.tsx';
import { Select } from '../../../_ui/select.tsx';
import { Skeleton } from '../../../_ui/skeleton.tsx';
import { useScopeWords } from '../../../_ui/use-scope-words.ts';
import { ConsentCard } from '../consent-card.tsx';
import { EVERYTHING, filtered, intentsOf, isFiltered, type ReceivedFilter, STATES } from '../received-filter.ts';
import { SearchField } from '../search-field.tsx';
import { useReceived } from '../use-received-consents.ts';

/** The consents that the institution has received. */
export function ReceivedConsents() {
  const t = useTranslations('institution.consents');
  const common = useTranslations('common');
  const words = useScopeWords();
  const { view } = useInstitution();
  const { consents, failure, isLoading, loadMore } = useReceived(view.ieo_id);
  const [filter, setFilter] = useState<ReceivedFilter>(EVERYTHING);
  const applied = useDeferredValue(filter);
  const shown = useMemo(() => filtered(consents ?? [], applied), [consents, applied]);
  const intents = useMemo(() => intentsOf(consents ?? []), [consents]);
  const all = consents?.length ?? 0;

  return (
    <div className="space-y-5">
      <h1>{t('title')}</h1>
      <p className="max-w-prose">{t('lead')}</p>
      <Refused failure={failure} />
      {!consents && !failure && (
        <>
          <p role="status" className="sr-only">
            {common('loading')}
          </p>
          <Skeleton className="h-60 w-full" />
        </>
      )}
      {consents && all === 0 && (
        <div className="rounded-lg border-2 border-dashed border-line px-6 py-12 text-center">
          <p className="text-lg font-bold">{t('none')}</p>
          <p className="text-muted">{t('noneBody', { domain: view.domain })}</p>
        </div>
      )}
      {all > 0 && (
        <>
          <div className="grid gap-4 sm:grid-cols-3 sm:items-end">
            <Select
              label={t('state')}
              value={filter.status ?? ''}
              onChange={({ target }) =>
                setFilter({ ...filter, status: STATES.find((status) => status === target.value) ?? null })
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
              label={t('purpose')}
              value={filter.intent ?? ''}
              onChange={({ target }) =>
                setFilter({ ...filter, intent: intents.find((intent) => intent === target.value) ?? null })
              }
            >
              <option value="">{t('any')}</option>
              {intents.map((intent) => (
                <option key={intent} value={intent}>
                  {words.intent(intent)}
                </option>
              ))}
            </Select>
            <SearchField
              label={t('holder')}
              placeholder={t('holderHint')}
              value={filter.holder}
              onChange={(holder) => setFilter({ ...filter, holder })}
            />
          </div>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p role="status" className="text-muted tabular-nums">
              {isLoading ? t('loading', { count: all }) : t('count', { shown: shown.length, all })}
            </p>
            {isFiltered(filter) && (
              <Button look="quiet" onClick={() => setFilter(EVERYTHING)}>
                {t('clear')}
              </Button>
            )}
          </div>
          {shown.length === 0 && !isLoading && <p>{t('nothing')}</p>}
          <LongList
            key={Object.values(applied).join()}
            label={t('list')}
            items={shown}
            keyOf={({ token_id }) => token_id}
            usualHeight={320}
            gap={16}
            render={(consent) => <ConsentCard consent={consent} usable={view.status === 'ACTIVE'} />}
          />
          {loadMore && (
            <Button look="secondary" onClick={loadMore}>
              {t('more')}
            </Button>
          )}
        </>
      )}
    </div>
  );
}
