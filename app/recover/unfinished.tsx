'use client';

import { useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { type KeptRecovery, readUnfinished } from './kept-recovery.ts';

/** Links to the unfinished recoveries in this browser, except the one of `except`, whose lookup has just failed. */
export function Unfinished({ except }: { except: string | null }) {
  const t = useTranslations('recover.unfinished');
  const search = useSearchParams();
  const [unfinished, setUnfinished] = useState<readonly KeptRecovery[]>([]);

  useEffect(() => setUnfinished(readUnfinished().filter(({ domain }) => domain !== except)), [except]);

  const hrefOf = (domain: string) => {
    const parameters = new URLSearchParams(search);
    parameters.set('domain', domain);
    return `?${parameters}`;
  };

  return unfinished.map(({ beoId, domain }) => (
    <Alert key={beoId} title={t('title')}>
      <p>{t('body', { domain })}</p>
      <Button asChild className="mt-3">
        <a href={hrefOf(domain)}>{t('resume')}</a>
      </Button>
    </Alert>
  ));
}
