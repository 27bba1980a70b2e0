import { useMemo } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { Field } from '../../_ui/field.tsx';
import { Select } from '../../_ui/select.tsx';
import { COUNTRY_CODES, countriesIn } from './countries.ts';

const LONGEST_PLACE = 60;

interface Place {
  readonly country: string;
  readonly jurisdiction: string;
  readonly legalId: string;
}

type PlaceFieldsProps = { place: Place; onChange: (place: Place) => void };

/** Where the institution is registered; empty where that is not stated. */
export function PlaceFields({ place, onChange }: PlaceFieldsProps) {
  const t = useTranslations('register.name');
  const locale = useLocale();
  const countries = useMemo(() => countriesIn(locale), [locale]);
  const part = (member: 'jurisdiction' | 'legalId', hint: string) => (
    <Field
      label={t(member)}
      hint={hint}
      value={place[member]}
      onType={(text) => onChange({ ...place, [member]: text })}
      limit={LONGEST_PLACE}
      autoComplete="off"
    />
  );
  return (
    <div className="space-y-6 pt-2 pb-3">
      <p className="text-muted">{t('more')}</p>
      <Select
        size="large"
        label={t('country')}
        // Answers that an earlier version kept may contain another text.
        value={COUNTRY_CODES.find((code) => code === place.country) ?? ''}
        onChange={(event) => onChange({ ...place, country: event.target.value })}
        autoComplete="country"
      >
        <option value="">{t('countryNone')}</option>
        {countries.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
      {part('jurisdiction', t('jurisdictionHint'))}
      {part('legalId', t('legalIdHint'))}
    </div>
  );
}
