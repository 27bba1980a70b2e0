'use client';

import { useTranslations } from 'use-intl/react';
import { Alert } from '../_ui/alert.tsx';

const SAID_ALIKE: Partial<Record<string, string>> = {
  TIMESTAMP_TOO_OLD: 'TIMESTAMP',
  TIMESTAMP_IN_FUTURE: 'TIMESTAMP',
};

type Key = Parameters<ReturnType<typeof useTranslations<'recover'>>>[0];

/** Why the server did not take it; empty, but there to announce, while nothing was refused. */
export function Refusal({ code }: { code: string | null }) {
  const t = useTranslations('recover');
  const key = `errors.${SAID_ALIKE[code ?? ''] ?? code}`;
  const isSaid = (text: string): text is Key => t.has(text as Key);
  return (
    <div role="alert">
      {code && (
        <Alert tone="danger" title={t('errors.title')}>
          <p>{isSaid(key) ? t(key) : t('errors.OTHER', { code })}</p>
        </Alert>
      )}
    </div>
  );
}
