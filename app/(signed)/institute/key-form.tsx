'use client';

import { KeyRound } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { regionOf } from '../../../messages/languages.ts';
import { dateFormat } from '../../_i18n/formats.ts';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { Field } from '../../_ui/field.tsx';
import { useBrowser } from '../../_ui/now.ts';
import { useHeldKey } from './held-key.tsx';

/** Takes an institute key into the memory of the page, and says until when it is there. */
export function KeyForm() {
  const t = useTranslations('institute.key');
  const region = regionOf(useLocale());
  const { key, until, hold, forget } = useHeldKey();
  const isReady = useBrowser();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [isEmpty, setEmpty] = useState(false);
  const [wasHeld, setWasHeld] = useState(false);

  const take = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = typed.trim();
    setEmpty(given === '');
    if (given === '') return input.current?.focus();
    setTyped('');
    setWasHeld(true);
    hold(given);
  };

  return (
    <Card className="max-w-prose">
      <p role="status" className="flex items-center gap-2 font-semibold empty:hidden">
        {key !== null && (
          <>
            <KeyRound aria-hidden className="size-5 shrink-0 text-accent" />
            {t('held', { time: dateFormat(region, { timeStyle: 'short' }).format(until) })}
          </>
        )}
        {key === null && wasHeld && t('forgotten')}
      </p>
      {key === null ? (
        <form onSubmit={take} noValidate className="mt-2 space-y-4">
          <Field
            ref={input}
            type="password"
            label={t('label')}
            hint={t('what')}
            error={isEmpty ? t('empty') : undefined}
            value={typed}
            onType={setTyped}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={500}
            action={
              <Button type="submit" size="large" disabled={!isReady}>
                {t('use')}
              </Button>
            }
          />
        </form>
      ) : (
        <div className="mt-3 space-y-3">
          <p className="text-muted">{t('hidden')}</p>
          <Button look="secondary" onClick={forget}>
            {t('forget')}
          </Button>
        </div>
      )}
    </Card>
  );
}
