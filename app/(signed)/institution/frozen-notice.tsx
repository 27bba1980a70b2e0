'use client';

import { useTranslations } from 'use-intl/react';
import { Alert } from '../../_ui/alert.tsx';

/** That a person has frozen their identity, so that their consents cannot be used. */
export function FrozenNotice({ domain }: { domain: string | null }) {
  const t = useTranslations('institution.frozen');
  return (
    <Alert tone="caution" title={t('title', { domain: domain ?? '' })}>
      <p>{t('body')}</p>
    </Alert>
  );
}
