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
import { useInstituteKey } from './institute-key.tsx';

/** Asks for an institute key, keeps it in memory, and shows when it will be forgotten. */
export function KeyForm() {
  const t = useTranslations('institute.key');
  const region = regionOf(useLocale());
  const { key, until, set, forget } = useInstituteKey();
  const isReady = useBrowser();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [isEmpty, setEmpty] = useState(false);
  const [wasEntered, setWasEntered] = useState(false);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entered = typed.trim();
    setEmpty(entered === '');
    if (entered === '') return input.current?.focus();
    setTyped('');
    setWasEntered(true);
    set(entered);
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
        {key === null && wasEntered && t('forgotten')}
      </p>
      {key === null ? (
        <form onSubmit={submit} noValidate className="mt-2 space-y-4">
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
