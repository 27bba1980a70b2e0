'use client';

import { useMemo } from 'react';
import { useTranslations } from 'use-intl/react';
import { Select } from '../../../_ui/select.tsx';
import type { DateOrder } from './local-times.ts';

type DateOrderChoiceProps = { value: DateOrder; onChange: (order: DateOrder) => void };

/** Shows and changes how the file writes days in numbers, which its days prove. */
export function DateOrderChoice({ value, onChange }: DateOrderChoiceProps) {
  const t = useTranslations('institution.submit.preview');
  return (
    <Select
      label={t('dates')}
      value={value}
      onChange={({ target }) => onChange(target.value === 'dayFirst' ? 'dayFirst' : 'monthFirst')}
    >
      <option value="dayFirst">{t('dayFirst')}</option>
      <option value="monthFirst">{t('monthFirst')}</option>
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
