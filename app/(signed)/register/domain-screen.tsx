'use client';

import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type FormEvent, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { failureOf } from '../../_trpc/failure.ts';
import { useTRPC } from '../../_trpc/query-provider.tsx';
import { useSentence } from '../../_trpc/refused.tsx';
import { Button } from '../../_ui/button.tsx';
import { Field } from '../../_ui/field.tsx';
import { FormActions } from '../../_ui/form-actions.tsx';
import { normalizeReference, suggestedDomain } from '../../_ui/reference.ts';
import { Screen } from '../../_ui/screen.tsx';
import { useBrowser } from '../../_ui/use-browser.ts';

type DomainScreenProps = {
  suffix: string;
  chosen: string | null;
  onChoose: (domain: string) => void;
};

/** The domain, with a live check whether it is free. */
export function DomainScreen({ suffix, chosen, onChoose }: DomainScreenProps) {
  const t = useTranslations('register');
  const sentence = useSentence();
  const trpc = useTRPC();
  const isReady = useBrowser();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(chosen ?? '');
  /** What the person has sent; it is taken as soon as it is known to be free. */
  const [sent, setSent] = useState<string | null>(null);
  const domain = normalizeReference(typed, suffix);
  const checked = useDeferredValue(domain);
  const { data, error, isFetching, refetch } = useQuery(
    trpc.availability.queryOptions({ domain: checked.slice(0, 100) }, { enabled: checked !== '' }),
  );
  const availability = checked === domain && !isFetching ? data : undefined;

  const isWanted = sent === domain && availability?.state === 'free';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as it can be taken
  useEffect(() => {
    if (isWanted) onChoose(domain);
  }, [isWanted]);

  const problem = (): string | null => {
    if (domain === '') return sent === '' ? t('domain.empty') : null;
    if (error) return sentence(failureOf(error));
    switch (availability?.state) {
      case 'taken':
        return t('domain.taken', { domain });
      case 'impossible':
        return t(`domain.${availability.code}`, { suffix });
      default:
        return null;
    }
  };

  const take = (suggestion: string) => {
    setTyped(suggestion);
    input.current?.focus();
  };

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setSent(domain);
    if (error) void refetch();
    if (domain === '' || (availability && availability.state !== 'free')) input.current?.focus();
  };

  const wrong = problem();
  const isMisspelt = availability?.state === 'impossible' && availability.code === 'DOMAIN_INVALID';
  const meant = isMisspelt ? suggestedDomain(typed, suffix) : null;
  return (
    <Screen title={t('domain.title')} heading="h1">
      <form onSubmit={send} noValidate className="mt-4 space-y-5">
        <p>{t('domain.lead')}</p>
        <Field
          ref={input}
          label={t('domain.label')}
          hint={t('domain.hint', { suffix })}
          error={wrong ?? undefined}
          value={typed}
          onType={(text) => {
            setSent(null);
            setTyped(text);
          }}
          autoCapitalize="none"
          autoCorrect="off"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
        />
        <p role="status" className="flex min-h-7 items-center gap-2">
          {wrong && <span className="sr-only">{wrong}</span>}
          {!wrong && domain !== '' && !availability && <span className="text-muted">{t('domain.looking')}</span>}
          {availability?.state === 'free' && (
            <>
              <Check aria-hidden className="size-5 shrink-0 text-accent" />
              <span className="min-w-0 break-words">{t('domain.free', { domain })}</span>
            </>
          )}
        </p>
        {meant && (
          <Button look="secondary" className="max-w-full shrink wrap-anywhere" onClick={() => take(meant)}>
            {t('domain.meant', { domain: meant })}
          </Button>
        )}
        <FormActions>
          <Button type="submit" size="large" disabled={!isReady}>
            {t('next')}
          </Button>
        </FormActions>
      </form>
    </Screen>
  );
}
