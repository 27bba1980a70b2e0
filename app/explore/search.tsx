'use client';

import { useTransition } from 'react';
import { useTranslations } from 'use-intl/react';
import { pageOf } from '../_ui/explore-address.ts';
import { useGo } from '../_ui/local-link.tsx';
import { LookUpForm } from '../_ui/look-up-form.tsx';
import { exploredReference } from './reference.ts';

/** A search field that opens the page of a reference; without scripts through /explore?q=. */
export function Search({ suffix, initial = '' }: { suffix: string; initial?: string }) {
  const t = useTranslations('explore.search');
  const go = useGo();
  const [isGoing, startGoing] = useTransition();

  const lookUp = (typed: string) => {
    const reference = exploredReference(typed, suffix);
    startGoing(() => go(reference === '' ? '/explore' : pageOf(reference)));
  };

  return (
    <search>
      <LookUpForm
        action="/explore"
        name="q"
        initial={initial}
        label={t('label')}
        hint={t('hint', { suffix })}
        submit={t('submit')}
        onLookUp={lookUp}
      />
      <p role="status" className="mt-2 min-h-6 text-muted">
        {isGoing && t('looking')}
      </p>
    </search>
  );
}
