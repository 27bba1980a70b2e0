'use client';

import { Search as Glass } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { type FormEvent, useState, useTransition } from 'react';
import { useTranslations } from 'use-intl/react';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { useGo } from '../ui/local-link.tsx';
import { exploredReference, pageOf } from './reference.ts';

/** Leads to the page about whatever is typed; without scripts, by way of /explore?q=. */
export function Search({ suffix, asked = '' }: { suffix: string; asked?: string }) {
  const t = useTranslations('explore.search');
  const go = useGo();
  const lang = useSearchParams().get('lang');
  const [typed, setTyped] = useState(asked);
  const [isGoing, startGoing] = useTransition();

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const reference = exploredReference(typed, suffix);
    startGoing(() => go(reference === '' ? '/explore' : pageOf(reference)));
  };

  return (
    <search>
      <form action="/explore" method="get" onSubmit={submit}>
        {lang && <input type="hidden" name="lang" value={lang} />}
        <Field
          name="q"
          label={t('label')}
          hint={t('hint', { suffix })}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          maxLength={80}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="search"
          action={
            <Button type="submit" size="large">
              <Glass aria-hidden />
              {t('submit')}
            </Button>
          }
        />
      </form>
      <p role="status" className="mt-2 min-h-6 text-muted">
        {isGoing && t('looking')}
      </p>
    </search>
  );
}
