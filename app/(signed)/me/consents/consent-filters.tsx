'use client';

import { useId } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { INTENTS } from '../../../../protocol/entities/intents.ts';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { capitalized } from '../../../_ui/format.ts';
import { Select } from '../../../_ui/select.tsx';
import { useScopeWords } from '../../../_ui/use-scope-words.ts';
import { type Filter, granteesOf } from './consent-filter.ts';

/** The number of institutions to choose from; the search finds the others. */
const MOST_LISTED = 200;

type FiltersProps = {
  filter: Filter;
  consents: readonly TokenView[];
  onChange: (changes: Partial<Filter>) => void;
};

/** Filters the list by text, status, grantee and intent. */
export function Filters({ filter, consents, onChange }: FiltersProps) {
  const t = useTranslations('consents.filter');
  const locale = useLocale();
  const words = useScopeWords();
  const search = useId();
  const grantees = granteesOf(consents).slice(0, MOST_LISTED);
  return (
    <search className="grid grid-cols-2 gap-3 md:grid-cols-4">
      <div className="col-span-2 md:col-span-1">
        <label htmlFor={search} className="block text-sm font-semibold">
          {t('text')}
        </label>
        <input
          id={search}
          type="search"
          value={filter.text}
          autoComplete="off"
          onChange={({ target }) => onChange({ text: target.value })}
          className="mt-1 min-h-11 w-full min-w-0 rounded-md border-2 border-edge bg-surface px-3 text-ink hover:border-ink"
        />
      </div>
      <Select
        label={t('state')}
        value={filter.state ?? ''}
        onChange={({ target }) =>
          onChange({ state: target.value === 'inForce' || target.value === 'ended' ? target.value : null })
        }
      >
        <option value="">{t('all')}</option>
        <option value="inForce">{t('inForce')}</option>
        <option value="ended">{t('ended')}</option>
      </Select>
      <Select
        label={t('grantee')}
        value={filter.grantee ?? ''}
        onChange={({ target }) => onChange({ grantee: target.value || null })}
      >
        <option value="">{t('everyone')}</option>
        {grantees.map(({ id, domain, all }) => (
          <option key={id} value={id}>
            {t('granteeCount', { who: domain ?? id, count: all })}
          </option>
        ))}
      </Select>
      <div className="col-span-2 md:col-span-1">
        <Select
          label={t('intent')}
          value={filter.intent ?? ''}
          onChange={({ target }) => onChange({ intent: INTENTS.find((intent) => intent === target.value) ?? null })}
        >
          <option value="">{t('anything')}</option>
          {INTENTS.map((intent) => (
            <option key={intent} value={intent}>
              {capitalized(locale, words.intent(intent))}
            </option>
          ))}
        </Select>
      </div>
    </search>
  );
}
