'use client';

import { useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import { Select } from '../../../_ui/select.tsx';
import { DATE_ORDERS, type DateOrder } from './local-times.ts';

type DateOrderChoiceProps = { value: DateOrder; onChange: (order: DateOrder) => void };

/** Asks how the file writes days in numbers. */
export function DateOrderChoice({ value, onChange }: DateOrderChoiceProps) {
  const t = useTranslations('institution.submit.preview');
  return (
    <Select
      label={t('dates')}
      value={value}
      onChange={({ target }) => onChange(DATE_ORDERS.find((order) => order === target.value) ?? 'iso')}
    >
      {value === 'iso' && <option value="iso">{t('iso')}</option>}
      {DATE_ORDERS.filter((order) => order !== 'iso').map((order) => (
        <option key={order} value={order}>
          {t(order)}
        </option>
      ))}
    </Select>
  );
}

/** The time zone of this device. */
export const deviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Asks in which zone the file has times without one. */
export function ZoneChoice({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const t = useTranslations('institution.submit.preview');
  const zones = useMemo(() => [...new Set([deviceZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])], []);
  return (
    <Select label={t('zone')} value={value} onChange={({ target }) => onChange(target.value)}>
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zone}
        </option>
      ))}
    </Select>
  );
}
