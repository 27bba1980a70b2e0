'use client';

import { useTranslations } from 'use-intl/react';
import { useHolder } from '../../../_session/current.tsx';
import { Safety } from '../../_safety/safety.tsx';

export function HolderSafety() {
  const t = useTranslations('safety');
  const { kept } = useHolder();
  return (
    <>
      <h1>{t('title')}</h1>
      <p className="mt-2 mb-6 max-w-prose text-muted">{t('lead', { domain: kept.domain })}</p>
      <Safety home="/me" />
    </>
  );
}
