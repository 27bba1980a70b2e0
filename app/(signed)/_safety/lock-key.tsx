'use client';

import { useTranslations } from 'use-intl/react';
import { useSession } from '../../_session/session.tsx';
import { IDLE_MS } from '../../_session/use-idle.ts';
import { Button } from '../../_ui/button.tsx';
import { Part } from './part.tsx';

/** Shows how long a key stays open, and locks it. */
export function LockKey() {
  const t = useTranslations();
  const { isOpen, lock } = useSession();
  return (
    <Part id="put-away" title={t('safety.putAway.title')}>
      <p>{t('safety.putAway.what', { minutes: IDLE_MS / 60_000 })}</p>
      <p className="text-muted" role="status">
        {isOpen ? t('session.isOpen') : t('session.isAway')}
      </p>
      {isOpen && (
        <Button look="secondary" onClick={lock}>
          {t('session.putAway')}
        </Button>
      )}
    </Part>
  );
}
