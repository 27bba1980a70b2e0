'use client';

import { clsx } from 'clsx';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { type Failure, failureOf } from '../../_trpc/failure.ts';
import { useTRPCClient } from '../../_trpc/query-provider.tsx';
import { useSentence } from '../../_trpc/refused.tsx';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { Field } from '../../_ui/field.tsx';
import { useBrowser } from '../../_ui/use-browser.ts';
import { useDates } from '../../_ui/use-dates.ts';
import { useInstituteKey } from './institute-key.tsx';

type Entry =
  | { readonly at: 'typing'; readonly problem: Failure | 'empty' | null }
  | { readonly at: 'checking' }
  /** A key was held, and may have been forgotten since. */
  | { readonly at: 'entered' };

/** Asks for an institute key, has it checked, keeps it in memory, and shows when it will be forgotten. */
export function KeyForm() {
  const t = useTranslations('institute.key');
  const sentence = useSentence();
  const client = useTRPCClient();
  const dates = useDates();
  const { key, approver, until, set, forget } = useInstituteKey();
  const isReady = useBrowser();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [entry, setEntry] = useState<Entry>({ at: 'typing', problem: null });

  const refuse = (problem: Failure | 'empty') => {
    setEntry({ at: 'typing', problem });
    input.current?.focus();
  };

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entered = typed.trim();
    if (entered === '') return refuse('empty');
    setEntry({ at: 'checking' });
    try {
      const found = await client.instituteKey.mutate({}, { context: { instituteKey: entered } });
      setTyped('');
      setEntry({ at: 'entered' });
      set(entered, found.approver);
    } catch (error) {
      refuse(failureOf(error));
    }
  };

  const problem = entry.at === 'typing' ? entry.problem : null;
  const words = (found: Failure | 'empty'): string => {
    if (found === 'empty') return t('empty');
    return found.code === 'INSTITUTE_KEY_INVALID' ? t('wrong') : sentence(found);
  };

  return (
    <Card className={clsx('max-w-prose', key !== null && 'py-2!')}>
      <p role="status" className="flex flex-wrap items-center gap-x-4 gap-y-2 font-semibold empty:hidden">
        {key !== null && (
          <>
            <KeyRound aria-hidden className="size-5 shrink-0 text-accent" />
            <span className="mr-auto">{t('held', { approver, time: dates.time(until) })}</span>
            <Button look="quiet" onClick={forget}>
              {t('forget')}
            </Button>
          </>
        )}
        {key === null && entry.at === 'entered' && t('forgotten')}
      </p>
      {key === null && (
        <form onSubmit={submit} noValidate className="mt-2 space-y-4">
          <Field
            ref={input}
            type="password"
            label={t('label')}
            hint={t('what')}
            error={problem ? words(problem) : undefined}
            value={typed}
            onType={(text) => {
              setTyped(text);
              if (problem) setEntry({ at: 'typing', problem: null });
            }}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={500}
            action={
              <Button type="submit" size="large" disabled={!isReady} busy={entry.at === 'checking'}>
                {t(entry.at === 'checking' ? 'checking' : 'use')}
              </Button>
            }
          />
        </form>
      )}
    </Card>
  );
}
