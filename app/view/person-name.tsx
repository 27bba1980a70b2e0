'use client';

import { useTranslations } from 'use-intl/react';
import { isDay } from '../../protocol/days.ts';
import { useDates } from '../_ui/use-dates.ts';
import type { Person } from './people.ts';

/** The domain, once a proof is about it. Whatever else the files state about the person is said to be that. */
export function PersonName({ person: { subject, known } }: { person: Person }) {
  const t = useTranslations('view.opened');
  const { name, domain, birthDate } = subject;
  const dates = useDates();
  const born = birthDate === null ? null : t('born', { day: isDay(birthDate) ? dates.day(birthDate) : birthDate });
  const stated = [known === 'ended' ? domain : null, domain === null ? null : name, born].filter(
    (text) => text !== null,
  );
  const what = stated.join(', ');
  return (
    <span className="mr-3 inline-block max-w-full wrap-anywhere" translate="no" dir="auto">
      <b>{known === 'ended' ? t('ended') : (domain ?? name)}</b>
      {known === 'stated' && what !== '' && `, ${what}`}
      {(known === 'stated' || what !== '') && (
        <span className="text-muted"> {known === 'stated' ? t('stated') : t('unchecked', { what })}</span>
      )}
    </span>
  );
}
