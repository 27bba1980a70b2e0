'use client';

import { type FormEvent, useId, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { CATEGORIES } from '../../../../protocol/records/taxonomy.ts';
import { useAddress } from '../../../_ui/address.ts';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { FormActions } from '../../../_ui/form-actions.tsx';
import { Select } from '../../../_ui/select.tsx';
import { useScopeWords } from '../../../_ui/use-scope-words.ts';
import { withParameters } from '../../../_ui/with-parameters.ts';
import { FilterInput } from './filter-input.tsx';
import { badCodes, isBackwards, parametersOf, queryIn, type RecordQuery } from './record-query.ts';

type FiltersProps = { consent: TokenView; isReading: boolean; onRead: (query: RecordQuery) => void };

/** The filters of a read; empty ones mean everything that the consent covers. */
export function Filters({ consent, isReading, onRead }: FiltersProps) {
  const t = useTranslations('institution.read');
  const words = useScopeWords();
  const id = useId();
  const codes = useRef<HTMLInputElement>(null);
  const { search, replace } = useAddress();
  const [query, setAsked] = useState(() => queryIn(search));
  const [sent, setSent] = useState(false);
  const { scope } = consent;
  const covered = scope.categories.includes('*') ? CATEGORIES : scope.categories;
  const bad = badCodes(query.biomarkers);
  const backwards = isBackwards(query);

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSent(true);
    if (bad.length > 0) return codes.current?.focus();
    if (backwards || isReading) return;
    replace(`?${withParameters(search, parametersOf(query))}`);
    onRead(query);
  };

  const tick = (code: string, isTicked: boolean) =>
    setAsked({
      ...query,
      categories: isTicked ? [...query.categories, code] : query.categories.filter((other) => other !== code),
    });

  return (
    <Card>
      <form onSubmit={send} noValidate className="space-y-5">
        <div>
          <h2>{t('filters')}</h2>
          <p className="text-muted">{t('all')}</p>
        </div>
        {covered.length > 1 && (
          <details className="rounded-md border border-line px-4 py-2">
            <summary className="min-h-11 cursor-pointer py-2 font-semibold">
              {t('categories')}
              {query.categories.length > 0 && ` (${query.categories.length})`}
            </summary>
            <fieldset className="mt-2 grid gap-x-6 sm:grid-cols-2">
              <legend className="sr-only">{t('categories')}</legend>
              {covered.map((code) => (
                <div key={code} className="flex items-start gap-3">
                  <input
                    id={`${id}-${code}`}
                    type="checkbox"
                    checked={query.categories.includes(code)}
                    onChange={(event) => tick(code, event.target.checked)}
                    className="mt-2.5 size-6 shrink-0 cursor-pointer accent-accent"
                  />
                  <label htmlFor={`${id}-${code}`} className="min-h-11 cursor-pointer py-2 first-letter:uppercase">
                    {words.category(code)}
                  </label>
                </div>
              ))}
            </fieldset>
          </details>
        )}
        <div className="grid grid-cols-2 gap-4 lg:grid-cols-4 lg:items-end">
          <FilterInput
            type="date"
            label={t('from')}
            value={query.from}
            onChange={(event) => setAsked({ ...query, from: event.target.value })}
          />
          <FilterInput
            type="date"
            label={t('to')}
            value={query.to}
            error={sent && backwards ? t('badPeriod') : undefined}
            onChange={(event) => setAsked({ ...query, to: event.target.value })}
          />
          <div className="max-sm:col-span-2">
            <Select
              label={t('status')}
              value={query.status}
              onChange={({ target }) =>
                setAsked({ ...query, status: target.value === 'SUPERSEDED' ? 'SUPERSEDED' : 'ACTIVE' })
              }
            >
              <option value="ACTIVE">{t('ACTIVE')}</option>
              <option value="SUPERSEDED">{t('SUPERSEDED')}</option>
            </Select>
          </div>
          <div className="max-sm:col-span-2">
            <FilterInput
              ref={codes}
              label={t('biomarkers')}
              placeholder="BSP-GL-001, BSP-HR-001"
              value={query.biomarkers}
              error={sent && bad.length > 0 ? t('badCodes', { codes: bad.join(', ') }) : undefined}
              onChange={(event) => setAsked({ ...query, biomarkers: event.target.value })}
              autoCapitalize="characters"
              autoComplete="off"
              spellCheck={false}
              maxLength={2_000}
            />
          </div>
        </div>
        <p className="text-muted">{t('note')}</p>
        <FormActions>
          <Button type="submit" size="large" busy={isReading}>
            {t(isReading ? 'reading' : 'go')}
          </Button>
        </FormActions>
      </form>
    </Card>
  );
}
