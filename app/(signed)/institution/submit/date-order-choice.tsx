'use client';

import { useId } from 'react';
import { useTranslations } from 'use-intl/react';
import { Select } from '../../../_ui/select.tsx';
import { DATE_ORDERS, type DateOrder } from './local-times.ts';

type DateOrderChoiceProps = { value: DateOrder; onChange: (order: DateOrder) => void };

/** Asks how the file writes days, and names the zone of times without one. */
export function DateOrderChoice({ value, onChange }: DateOrderChoiceProps) {
  const t = useTranslations('institution.submit.preview');
  const id = useId();
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <div className="max-w-prose space-y-1">
      <Select
        label={t('dates')}
        aria-describedby={id}
        value={value}
        onChange={({ target }) => onChange(DATE_ORDERS.find((order) => order === target.value) ?? 'iso')}
      >
        {DATE_ORDERS.map((order) => (
          <option key={order} value={order}>
            {t(order)}
          </option>
        ))}
      </Select>
      <p id={id} className="text-muted">
        {t('datesZone', { zone })}
      </p>
    </div>
  );
}
