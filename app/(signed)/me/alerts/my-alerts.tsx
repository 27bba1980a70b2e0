'use client';

import { useEffect } from 'react';
import { useTranslations } from 'use-intl/react';
import { keepOffered } from '../../../_keys/offered.ts';
import { useHolder } from '../../../_session/current.tsx';
import { Line, Locked } from '../../../_session/locked-page.tsx';
import { Alert } from '../../../_ui/alert.tsx';
import { Done } from '../../_safety/part.tsx';
import { AlertForm } from './alert-form.tsx';
import { useAlerts } from './use-alerts.ts';

/** The alerts of a holder, read once the key is open. `mails`: whether the service sends mail. */
export function MyAlerts({ mails }: { mails: boolean }) {
  const t = useTranslations('alerts');
  const { view, kept } = useHolder();
  const { alerts, busy, saved, failure, show, save } = useAlerts(kept.id, mails);
  const isFrozen = view.status === 'LOCKED';
  useEffect(() => keepOffered('alerts', kept.id), [kept.id]);
  return (
    <div className="max-w-form space-y-6 pb-12">
      <h1>{t('title')}</h1>
      <p className="text-lg">{t('lead')}</p>
      {!mails && (
        <Alert>
          <p>{t('noMail')}</p>
        </Alert>
      )}
      {mails && isFrozen && (
        <Alert tone="caution">
          <p>{t('frozen')}</p>
        </Alert>
      )}
      <Done>{saved && t('saved')}</Done>
      {mails && !alerts && (
        <Locked
          title={t('locked.title')}
          what={t('locked.what')}
          action={t(busy === 'read' ? 'reading' : 'open')}
          busy={busy === 'read'}
          failure={failure}
          onOpen={show}
          row={<ChoiceOutline />}
        />
      )}
      {alerts && (
        <AlertForm
          key={alerts.version}
          alerts={alerts}
          isFrozen={isFrozen}
          isSaving={busy === 'save'}
          failure={failure}
          onSave={save}
        />
      )}
    </div>
  );
}

/** A kind of alert, to be ticked. */
const ChoiceOutline = () => (
  <div className="flex items-center gap-4">
    <span className="size-6 shrink-0 rounded-sm border-2 border-line" />
    <Line className="h-4 w-1/2" />
  </div>
);
