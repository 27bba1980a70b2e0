'use client';

import { type FormEvent, useMemo, useRef, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { findMisleading } from '../../../protocol/entities/display-names.ts';
import { Button } from '../../_ui/button.tsx';
import { Field } from '../../_ui/field.tsx';
import { FormActions } from '../../_ui/form-actions.tsx';
import { Screen } from '../../_ui/screen.tsx';
import { Select } from '../../_ui/select.tsx';
import { COUNTRY_CODES, countriesIn } from './countries.ts';
import type { Naming } from './register-flow.ts';

const LONGEST_NAME = 120;
const LONGEST_PLACE = 60;

type NameScreenProps = { naming: Naming | null; onName: (naming: Naming) => void };

/** The display name, and optional details of where the institution is registered. */
export function NameScreen({ naming, onName }: NameScreenProps) {
  const t = useTranslations('register');
  const common = useTranslations('common');
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(naming?.displayName ?? '');
  const [place, setPlace] = useState({
    // Answers that an earlier version kept may contain another text.
    country: COUNTRY_CODES.find((code) => code === naming?.country) ?? '',
    jurisdiction: naming?.jurisdiction ?? '',
    legalId: naming?.legalId ?? '',
  });
  const [problem, setProblem] = useState<string | null>(null);
  const locale = useLocale();
  const countries = useMemo(() => countriesIn(locale), [locale]);

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
      country,
      jurisdiction: jurisdiction.trim(),
      legalId: legalId.trim(),
    });
  };

  const label = (member: keyof typeof place) => (
    <>
      {t(`name.${member}`)} <span className="font-normal text-muted">({common('optional')})</span>
    </>
  );
  const part = (member: 'jurisdiction' | 'legalId', hint: string) => (
    <Field
      label={label(member)}
      hint={hint}
      value={place[member]}
      onType={(text) => setPlace({ ...place, [member]: text })}
      limit={LONGEST_PLACE}
      autoComplete="off"
    />
  );

  return (
    <Screen title={t('name.title')} heading="h1">
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
          limit={LONGEST_NAME}
          autoComplete="organization"
        />
        <p className="text-muted">{t('name.more')}</p>
        <Select
          size="large"
          label={label('country')}
          value={place.country}
          onChange={(event) => setPlace({ ...place, country: event.target.value })}
          autoComplete="country"
        >
          <option value="">{t('name.countryNone')}</option>
          {countries.map(({ code, name: country }) => (
            <option key={code} value={code}>
              {country}
            </option>
          ))}
        </Select>
        {part('jurisdiction', t('name.jurisdictionHint'))}
        {part('legalId', t('name.legalIdHint'))}
        <FormActions>
          <Button type="submit" size="large">
            {t('next')}
          </Button>
        </FormActions>
      </form>
    </Screen>
  );
}
