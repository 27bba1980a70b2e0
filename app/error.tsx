'use client';

import { useTranslations } from 'use-intl/react';
import { Broken } from './_ui/broken.tsx';

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useTranslations('common.broken');
  const text = {
    title: t('title'),
    body: t('body'),
    reference: t('reference'),
    retry: t('retry'),
    updated: { title: t('updated.title'), body: t('updated.body'), reload: t('updated.reload') },
  };
  return <Broken text={text} error={error} retry={retry} />;
}
