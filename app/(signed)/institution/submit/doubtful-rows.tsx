import { useId } from 'react';
import { useTranslations } from 'use-intl/react';
import type { FileSummary } from './file-summary.ts';

export interface IncludedRows {
  /** Whether rows with warnings are submitted too. */
  readonly withUnusual: boolean;
  /** Whether rows that were sent from this browser before are submitted again. */
  readonly withSentBefore: boolean;
}

type DoubtfulRowsProps = {
  summary: Pick<FileSummary, 'unusual' | 'sentBefore'>;
  included: IncludedRows;
  onChange: (changes: Partial<IncludedRows>) => void;
};

/** Asks whether the rows that are in doubt are submitted too. */
export function DoubtfulRows({ summary: { unusual, sentBefore }, included, onChange }: DoubtfulRowsProps) {
  const t = useTranslations('institution.submit.preview');
  if (unusual.length + sentBefore.length === 0) return null;
  return (
    <div>
      {unusual.length > 0 && (
        <Tick
          label={t('withUnusual', { count: unusual.length })}
          checked={included.withUnusual}
          onChange={(withUnusual) => onChange({ withUnusual })}
        />
      )}
      {sentBefore.length > 0 && (
        <Tick
          label={t('withSentBefore', { count: sentBefore.length })}
          checked={included.withSentBefore}
          onChange={(withSentBefore) => onChange({ withSentBefore })}
        />
      )}
    </div>
  );
}

type TickProps = { label: string; checked: boolean; onChange: (checked: boolean) => void };

function Tick({ label, checked, onChange }: TickProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-3">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-2.5 size-6 shrink-0 cursor-pointer accent-accent"
      />
      <label htmlFor={id} className="min-h-11 cursor-pointer py-2">
        {label}
      </label>
    </div>
  );
}
