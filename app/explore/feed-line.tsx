'use client';

import { useTranslations } from 'use-intl/react';
import { textLink } from '../_ui/text-link.ts';
import { Line } from './fact-list.tsx';

/** The feed of an identity or an institution; programs find it by the link in the head of the page. */
export function FeedLine({ of, id, name }: { of: 'beos' | 'ieos'; id: string; name: string }) {
  const t = useTranslations('explore.feed');
  const address = `/api/${of}/${id}/feed`;
  return (
    <Line name={t('name')}>
      <link rel="alternate" type="application/atom+xml" title={name} href={address} />
      <a href={address} className={textLink}>
        {t('link')}
      </a>
    </Line>
  );
}
