'use client';

import { useTranslations } from 'use-intl/react';
import { Alert } from '../_ui/alert.tsx';

/** A warning that a reload begins again. */
export function NotStored() {
  const t = useTranslations('keys.draft.forgetful');
  return (
    <Alert tone="caution" title={t('title')} className="mb-5 print:hidden">
      <p>{t('body')}</p>
    </Alert>
  );
}
