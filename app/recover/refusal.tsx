'use client';

import { useTranslations } from 'use-intl/react';
import { Alert } from '../_ui/alert.tsx';

const MESSAGE_KEYS: Partial<Record<string, string>> = {
  TIMESTAMP_TOO_OLD: 'TIMESTAMP',
  TIMESTAMP_IN_FUTURE: 'TIMESTAMP',
};

type ErrorKey = Parameters<ReturnType<typeof useTranslations<'recover.errors'>>>[0];

/** Why the server refused a request. The live region exists while it is empty, so that its content is announced. */
export function Refusal({ code }: { code: string | null }) {
  const t = useTranslations('recover');
  const errors = useTranslations('recover.errors');
  const key = MESSAGE_KEYS[code ?? ''] ?? code ?? '';
  const hasMessage = (text: string): text is ErrorKey => errors.has(text as ErrorKey);
  return (
    <div role="alert">
      {code && (
        <Alert tone="danger" title={t('failed')}>
          <p>{hasMessage(key) ? errors(key) : errors('OTHER', { code })}</p>
        </Alert>
      )}
    </div>
  );
}
