'use client';

import { type FormEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { findMisleading } from '../../../protocol/entities/display-names.ts';
import { Actions } from '../../_keys/actions.tsx';
import { Button } from '../../_ui/button.tsx';
import { Field } from '../../_ui/field.tsx';
import { Screen } from '../../_ui/screen.tsx';
import type { Naming } from './flow.ts';

const LONGEST_NAME = 120;
const LONGEST_PLACE = 60;

type NameScreenProps = { focus: boolean; naming: Naming | null; onName: (naming: Naming) => void };

/** The display name, and optional details of where the institution is registered. */
export function NameScreen({ focus, naming, onName }: NameScreenProps) {
  const t = useTranslations('register');
  const common = useTranslations('common');
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(naming?.displayName ?? '');
  const [place, setPlace] = useState({
    country: naming?.country ?? '',
    jurisdiction: naming?.jurisdiction ?? '',
    legalId: naming?.legalId ?? '',
  });
  const [problem, setProblem] = useState<string | null>(null);

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const displayName = name.trim();
    const misleading = findMisleading(displayName);
    const found =
      [...displayName].length < 2 ? t('name.short') : misleading && t(`name.${misleading.kind}`, misleading);
    if (found) {
      setProblem(found);
      return input.current?.focus();
    }
    const { country, jurisdiction, legalId } = place;
    onName({
      displayName,
      country: country.trim(),
      jurisdiction: jurisdiction.trim(),
      legalId: legalId.trim(),
    });
  };

  const part = (member: keyof typeof place, hint?: string) => (
    <Field
      label={
        <>
          {t(`name.${member}`)} <span className="font-normal text-muted">({common('optional')})</span>
        </>
      }
      hint={hint}
      value={place[member]}
      onType={(text) => setPlace({ ...place, [member]: text })}
      maxLength={LONGEST_PLACE}
      autoComplete={member === 'country' ? 'country-name' : 'off'}
    />
  );

  return (
    <Screen title={t('name.title')} heading="h1" focus={focus}>
      <form onSubmit={send} noValidate className="mt-4 space-y-6">
        <p>{t('name.lead')}</p>
        <Field
          ref={input}
          label={t('name.label')}
          hint={t('name.hint')}
          error={problem ?? undefined}
          value={name}
          onType={(text) => {
            setName(text);
            setProblem(null);
          }}
          maxLength={LONGEST_NAME}
          autoComplete="organization"
        />
        <p className="text-muted">{t('name.more')}</p>
        {part('country')}
        {part('jurisdiction', t('name.jurisdictionHint'))}
        {part('legalId', t('name.legalIdHint'))}
        <Actions>
          <Button type="submit" size="large">
            {t('next')}
          </Button>
        </Actions>
      </form>
    </Screen>
  );
}
