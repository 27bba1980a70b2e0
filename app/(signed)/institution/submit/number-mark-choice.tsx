'use client';

import { useId } from 'react';
import { useTranslations } from 'use-intl/react';
import type { DecimalMark } from '../../../../protocol/clinical/value.ts';
import type { TwoReadings } from './read-csv.ts';

type NumberMarkChoiceProps = {
  readings: readonly TwoReadings[];
  value: DecimalMark | null;
  onChange: (mark: DecimalMark) => void;
};

/** Asks once per file what its numbers mean, and shows some of them in both readings. */
export function NumberMarkChoice({ readings, value, onChange }: NumberMarkChoiceProps) {
  const t = useTranslations('institution.submit.preview.mark');
  const id = useId();
  const choices = [
    { mark: ',', name: t('comma'), read: ({ withComma }: TwoReadings) => withComma },
    { mark: '.', name: t('point'), read: ({ withPoint }: TwoReadings) => withPoint },
  ] as const;
  return (
    <fieldset className="max-w-prose rounded-lg border-2 border-caution-edge bg-caution-soft px-4 py-3">
      <legend className="float-left w-full font-bold">{t('question')}</legend>
      <div className="clear-left space-y-1 pt-1">
        {choices.map(({ mark, name, read }) => (
          <div key={mark} className="flex items-start gap-3">
            <input
              id={`${id}${mark}`}
              type="radio"
              name={id}
              checked={value === mark}
              onChange={() => onChange(mark)}
              className="mt-2.5 size-6 shrink-0 cursor-pointer accent-accent"
            />
            <label htmlFor={`${id}${mark}`} className="min-h-11 cursor-pointer py-2">
              {name}{' '}
              <span translate="no" className="tabular-nums text-muted">
                {readings.map((reading) => `${reading.text} = ${read(reading)}`).join(' · ')}
              </span>
            </label>
          </div>
        ))}
      </div>
    </fieldset>
  );
}
