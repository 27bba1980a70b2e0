'use client';

import { CircleAlert } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { IeoType } from '../../../protocol/entities/ieo.ts';
import { Button } from '../../_ui/button.tsx';
import { FormActions } from '../../_ui/form-actions.tsx';
import { Screen } from '../../_ui/screen.tsx';

const TYPES: readonly IeoType[] = ['LAB', 'HOSPITAL', 'PHYSICIAN', 'RESEARCH', 'INSURER', 'WEARABLE', 'PLATFORM'];

type TypeScreenProps = { chosen: IeoType | null; onChoose: (ieoType: IeoType) => void };

/** The type of the institution, each with the intents that it can be granted. */
export function TypeScreen({ chosen: before, onChoose }: TypeScreenProps) {
  const t = useTranslations('register');
  const id = useId();
  const [chosen, setChosen] = useState(before);
  const [missing, setMissing] = useState(false);

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (chosen) return onChoose(chosen);
    setMissing(true);
    event.currentTarget.querySelector('input')?.focus();
  };

  return (
    <Screen title={t('type.title')} heading="h1">
      <form onSubmit={send} noValidate className="mt-4 space-y-5">
        <p>{t('type.lead')}</p>
        <div role="alert">
          {missing && !chosen && (
            <p id={`${id}-missing`} className="flex gap-2 font-semibold text-danger-ink">
              <CircleAlert aria-hidden className="mt-1 size-5 shrink-0" />
              {t('type.none')}
            </p>
          )}
        </div>
        <fieldset className="space-y-3">
          <legend className="sr-only">{t('type.group')}</legend>
          {TYPES.map((type) => (
            <label
              key={type}
              className="flex cursor-pointer gap-4 rounded-lg border-2 border-edge bg-surface p-4 hover:border-ink hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft"
            >
              <input
                type="radio"
                name="type"
                value={type}
                checked={chosen === type}
                onChange={() => setChosen(type)}
                className="mt-1 size-5 shrink-0 accent-accent"
              />
              <span className="min-w-0">
                <span className="block text-lg font-bold">{t(`type.${type}.name`)}</span>
                <span className="block text-muted">{t(`type.${type}.what`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <FormActions>
          <Button type="submit" size="large">
            {t('next')}
          </Button>
        </FormActions>
      </form>
    </Screen>
  );
}
