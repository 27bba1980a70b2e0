'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useSession } from '../../_session/session.tsx';
import { IDLE_MINUTES, UNLOCKED_HOURS } from '../../_session/use-idle.ts';
import { Button } from '../../_ui/button.tsx';
import { Disclosure } from '../../_ui/disclosure.tsx';
import { Select } from '../../_ui/select.tsx';
import { Part } from './part.tsx';

/** Locks the key, and sets how long it stays unlocked: without use, and at most. */
export function LockKey() {
  const t = useTranslations();
  const { isOpen, lock } = useSession();
  const [minutes, setMinutes] = useState(IDLE_MINUTES.read);
  const [hours, setHours] = useState(UNLOCKED_HOURS.read);
  return (
    <Part
      id="lock"
      title={t('safety.putAway.title')}
      what={
        <>
          <span role="status">{isOpen ? t('session.isOpen') : t('session.isAway')}</span>
          {'. '}
          {t('safety.putAway.now', { minutes, hours })}
        </>
      }
      action={
        isOpen && (
          <Button look="secondary" onClick={lock}>
            {t('session.putAway')}
          </Button>
        )
      }
    >
      <Disclosure title={t('safety.putAway.change')} className="-my-2">
        <div className="max-w-64 space-y-4 pt-1 pb-3">
          <Select
            label={t('safety.putAway.after')}
            value={minutes}
            onChange={({ target }) => {
              setMinutes(Number(target.value));
              IDLE_MINUTES.store(Number(target.value));
            }}
          >
            {IDLE_MINUTES.choices.map((choice) => (
              <option key={choice} value={choice}>
                {t('safety.putAway.minutes', { minutes: choice })}
              </option>
            ))}
          </Select>
          <Select
            label={t('safety.putAway.latest')}
            value={hours}
            onChange={({ target }) => {
              setHours(Number(target.value));
              UNLOCKED_HOURS.store(Number(target.value));
            }}
          >
            {UNLOCKED_HOURS.choices.map((choice) => (
              <option key={choice} value={choice}>
                {t('safety.putAway.hours', { hours: choice })}
              </option>
            ))}
          </Select>
        </div>
      </Disclosure>
    </Part>
  );
}
