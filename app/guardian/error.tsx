'use client';

import { useTranslations } from 'use-intl/react';
import { Button } from '../_ui/button.tsx';
import { Notice } from '../_ui/notice.tsx';

/** The page for an unexpected failure of a guardian page, with the reference under which the server logged it. */
export default function GuardianError({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useTranslations('guardian.broken');
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null;
  return (
    <Notice title={t('title')}>
      <p>{t('body')}</p>
      {digest && (
        <p>
          {t('reference')} <code className="font-mono font-semibold">{digest}</code>
        </p>
      )}
      <Button size="large" onClick={retry}>
        {t('retry')}
      </Button>
    </Notice>
  );
}
