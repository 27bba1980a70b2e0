'use client';

import { CircleCheck, CircleX, Dices } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { failureOf } from '../../_trpc/failure.ts';
import { Refused } from '../../_trpc/refused.tsx';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { Field } from '../../_ui/field.tsx';
import { Actions, Question } from '../../_ui/question.tsx';
import { normalizeReference } from '../../_ui/reference.ts';
import { suggestName } from './suggest-name.ts';
import { type SubmittedName, useAvailability } from './use-availability.ts';

type NameScreenProps = {
  suffix: string;
  /** A random name, without the suffix. */
  suggested: string;
  submitted: SubmittedName | null;
  /** Whether the draft in this browser has been read. */
  ready: boolean;
  /** The domain that was chosen before. */
  chosen: string | null;
  /** A domain that another identity has taken meanwhile. */
  lost: string | null;
  onName: (domain: string) => void;
};

/** Asks for the name of the new identity; suggests one that reveals nothing about the person. */
export function NameScreen(props: NameScreenProps) {
  const { suffix, suggested, submitted, ready, chosen, lost, onName } = props;
  const t = useTranslations('create.name');
  const locale = useLocale();
  const input = useRef<HTMLInputElement>(null);
  const first = submitted?.typed ?? suggested;
  const [typed, setTyped] = useState(() => withoutSuffix(chosen, suffix) ?? (lost ? suggestName(locale) : first));
  const [tried, setTried] = useState(chosen === null && !lost && submitted !== null);
  const domain = normalizeReference(typed, suffix);
  const { data: found, error, refetch } = useAvailability(domain, submitted);

  const lang = useSearchParams().get('lang');
  const isFree = found?.state === 'free';

  // The draft is read after the first paint. What the person has typed meanwhile stays.
  useEffect(() => {
    if (chosen !== null) setTyped((typed) => (typed === suggested ? (withoutSuffix(chosen, suffix) ?? typed) : typed));
  }, [chosen, suffix, suggested]);

  const goesOn = tried && isFree && ready;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as a submitted name can be taken
  useEffect(() => {
    if (goesOn) onName(domain);
  }, [goesOn]);

  const problem = () => {
    if (domain === '') return tried ? t('empty') : null;
    switch (found?.state) {
      case 'taken':
        return t('taken', { domain });
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
    if (error) void refetch();
    if (wrong || domain === '') input.current?.focus();
  };

  return (
    <Question title={t('title')}>
      <p className="text-lg">{t('lead')}</p>
      {lost && (
        <Alert tone="caution" title={t('lostTitle', { domain: lost })}>
          <p>{t('lost')}</p>
        </Alert>
      )}
      <form onSubmit={send} noValidate className="space-y-4">
        {lang && <input type="hidden" name="lang" value={lang} />}
        <Field
          ref={input}
          id="name"
          name="name"
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
          {isFree && (
            <>
              <CircleCheck aria-hidden className="mt-1 size-5 shrink-0 text-accent" />
              <span className="min-w-0 break-words text-accent-ink">{t('free', { domain })}</span>
            </>
          )}
          {!wrong && !found && !error && domain !== '' && <span className="text-muted">{t('looking')}</span>}
        </p>
        <Refused failure={error && failureOf(error)} />
        <Actions>
          <Button type="submit" size="large" busy={ready && tried && domain !== '' && !wrong && !error}>
            {t('next')}
          </Button>
        </Actions>
      </form>
    </Question>
  );
}

const withoutSuffix = (domain: string | null, suffix: string): string | null =>
  domain?.endsWith(`.${suffix}`) ? domain.slice(0, -(suffix.length + 1)) : domain;
