'use client';

import { CircleCheck, CircleX, Dices } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { regionOf } from '../../../messages/languages.ts';
import { failureOf } from '../../_trpc/failure.ts';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Field } from '../../_ui/field.tsx';
import { formatExact } from '../../_ui/format.ts';
import { Actions, Question } from '../../_ui/question.tsx';
import { normalizeReference } from '../../_ui/reference.ts';
import { suggestName } from './suggest-name.ts';
import { useAvailability } from './use-availability.ts';

type NameScreenProps = {
  suffix: string;
  focus: boolean;
  /** The domain that was chosen before. */
  chosen: string | null;
  /** A domain that another identity has taken meanwhile. */
  lost: string | null;
  onName: (domain: string) => void;
};

/** Asks for the name of the new identity; suggests one that reveals nothing about the person. */
export function NameScreen({ suffix, focus, chosen, lost, onName }: NameScreenProps) {
  const t = useTranslations('create.name');
  const locale = useLocale();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(chosen ? chosen.slice(0, -(suffix.length + 1)) : '');
  const [tried, setTried] = useState(false);
  const domain = normalizeReference(typed, suffix);
  const { data: found, error, refetch } = useAvailability(domain);

  useEffect(() => {
    if (chosen === null) setTyped(suggestName(locale));
  }, [chosen, locale]);

  const problem = () => {
    if (domain === '') return tried ? t('empty') : null;
    switch (found?.state) {
      case 'taken':
        return t('taken', { domain });
      case 'resting':
        return t('resting', { domain, at: formatExact(regionOf(locale), Date.parse(found.availableAt), undefined) });
      case 'impossible':
        return t(found.code, { suffix });
      default:
        return null;
    }
  };
  const wrong = problem();

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (found?.state === 'free') return onName(domain);
    input.current?.focus();
    if (error) void refetch();
  };

  return (
    <Question key="name" title={t('title')} focus={focus}>
      <p className="text-lg">{t('lead')}</p>
      {lost && (
        <Alert tone="caution" title={t('lostTitle', { domain: lost })}>
          <p>{t('lost')}</p>
        </Alert>
      )}
      <form onSubmit={send} noValidate className="space-y-4">
        <Field
          ref={input}
          id="name"
          aria-describedby="name-hint name-state"
          label={t('label')}
          hint={t('hint', { suffix })}
          value={typed}
          onType={(text) => {
            setTried(false);
            setTyped(text);
          }}
          aria-invalid={wrong ? true : undefined}
          maxLength={70}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          translate="no"
          enterKeyHint="next"
          action={
            <Button look="secondary" size="large" onClick={() => setTyped(suggestName(locale))}>
              <Dices aria-hidden />
              {t('another')}
            </Button>
          }
        />
        <p id="name-state" role="status" className="flex min-h-13 gap-2 font-semibold sm:min-h-7">
          {wrong && (
            <>
              <CircleX aria-hidden className="mt-1 size-5 shrink-0 text-danger-ink" />
              <span className="text-danger-ink">{wrong}</span>
            </>
          )}
          {found?.state === 'free' && (
            <>
              <CircleCheck aria-hidden className="mt-1 size-5 shrink-0 text-accent" />
              <span className="min-w-0 break-words text-accent-ink">{t('free', { domain })}</span>
            </>
          )}
          {!wrong && !found && !error && domain !== '' && <span className="text-muted">{t('looking')}</span>}
        </p>
        <Refused failure={error && failureOf(error)} />
        <Actions>
          <Button type="submit" size="large">
            {t('next')}
          </Button>
        </Actions>
      </form>
    </Question>
  );
}
