'use client';

import { useTranslations } from 'use-intl/react';
import { useHolder } from '../../../_session/current.tsx';
import { IfWrong } from '../../_safety/if-wrong.tsx';
import { KeyParts } from '../../_safety/key-parts.tsx';
import { LeaveParts } from '../../_safety/leave-parts.tsx';

/** All actions on the key of a holder. */
export function HolderSafety() {
  const t = useTranslations('safety');
  const { kept } = useHolder();
  return (
    <>
      <h1>{t('title')}</h1>
      <p className="mt-2 mb-6 max-w-prose text-muted">{t('lead', { domain: kept.domain })}</p>
      <div className="space-y-8">
        <IfWrong home="/me" />
        <KeyParts />
        <LeaveParts title={t('leave')} home="/me" />
      </div>
    </>
  );
}
