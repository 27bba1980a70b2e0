'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from '../_ui/alert.tsx';
import { Screen } from '../_ui/screen.tsx';

/** Takes the place of what failed: that nothing was lost, and what can be done (`children`). */
export function Crashed({ children }: { children: ReactNode }) {
  const t = useTranslations('view.crashed');
  return (
    <Screen title={t('title')} heading="h1" className="max-w-form space-y-5">
      <Alert>
        <p>{t('safe')}</p>
      </Alert>
      {children}
    </Screen>
  );
}
