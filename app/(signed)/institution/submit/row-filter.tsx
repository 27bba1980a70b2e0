'use client';

import { clsx } from 'clsx';
import { useId, useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import { useFormats } from '../../../_i18n/use-formats.ts';
import { type FileSummary, type RowFilter, rowsShown } from './file-summary.ts';
import { useProblemWords } from './use-problem-words.ts';

type RowFiltersProps = { summary: FileSummary; value: RowFilter; onChange: (filter: RowFilter) => void };

/** Chooses which rows are shown, by their state or by one kind of problem, with the number of rows of each. */
export function RowFilters({ summary, value, onChange }: RowFiltersProps) {
  const { reviewed, kinds } = summary;
  const t = useTranslations('institution.submit.preview');
  const words = useProblemWords();
  const changed = useMemo(() => rowsShown(reviewed, 'changed').length, [reviewed]);
  const states = (['all', 'bad', 'changed', 'unusual', 'sentBefore', 'good', 'done'] as const)
    .map((filter) => ({
      filter,
      count: filter === 'all' ? reviewed.length : filter === 'changed' ? changed : summary[filter].length,
    }))
    .filter(({ filter, count }) => filter === 'all' || count > 0);
  const isKind = typeof value === 'object';
  return (
    <div className="space-y-2 print:hidden">
      <Choices
        name={t('filter')}
        choices={states.map(({ filter, count }) => ({
          id: filter,
          label: t(`state.${filter}`),
          count,
          look: '',
          isChosen: value === filter,
          choose: () => onChange(filter),
        }))}
      />
      {kinds.length > 1 && (
        <Choices
          name={t('kinds')}
          choices={kinds.map((kind) => ({
            id: kind.id,
            label: 'problem' in kind ? words(kind.problem) : t(`kind.${kind.warning}`),
            count: kind.count,
            look: 'problem' in kind ? 'text-danger-ink' : 'text-caution-ink',
            isChosen: isKind && value.kind === kind.id,
            choose: () => onChange({ kind: kind.id }),
          }))}
        />
      )}
    </div>
  );
}

type ChoicesProps = {
  name: string;
  choices: readonly {
    readonly id: string;
    readonly label: string;
    readonly count: number;
    readonly look: string;
    readonly isChosen: boolean;
    readonly choose: () => void;
  }[];
};

function Choices({ name, choices }: ChoicesProps) {
  const format = useFormats();
  const id = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-semibold">{name}</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map(({ id: choice, label, count, look, isChosen, choose }) => (
          <label
            key={choice}
            className={clsx(
              'relative inline-flex min-h-11 max-w-full items-center gap-2 rounded-md border-2 border-edge bg-surface px-3 py-1 text-sm font-semibold hover:border-ink has-checked:border-accent has-checked:bg-accent-soft has-checked:text-accent-ink has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              look,
            )}
          >
            <input
              type="radio"
              name={id}
              checked={isChosen}
              onChange={choose}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <span className="min-w-0 wrap-anywhere">{label}</span>
            <span className="font-normal tabular-nums">{format.number(count)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
