'use client';

import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useSession } from '../../_session/session.tsx';
import { Button } from '../../_ui/button.tsx';
import { useGo } from '../../_ui/local-link.tsx';
import { useLoadAhead } from '../../_ui/use-load-ahead.ts';
import { ForgetDialog, loadForgetDialog } from './deferred-forget-dialog.ts';
import { Part } from './part.tsx';

/** Deletes the key from this browser; the identity stays as it is. */
export function ForgetHere() {
  const t = useTranslations('safety.forget');
  const { current } = useSession();
  const go = useGo();
  const [asking, setAsking] = useState(false);

  useLoadAhead(loadForgetDialog);

  if (!current) return null;
  return (
    <Part
      id="forget"
      title={t('title')}
      what={t('what', { kind: current.kind })}
      action={
        <Button look="secondary" onClick={() => setAsking(true)}>
          {t('button')}
        </Button>
      }
    >
      {asking && (
        <ForgetDialog identity={current} onClose={() => setAsking(false)} onForgotten={() => go('/sign-in')} />
      )}
    </Part>
  );
}
