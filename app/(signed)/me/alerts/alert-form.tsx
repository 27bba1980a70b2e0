'use client';

import { type FormEvent, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { LANGUAGES, type Language } from '../../../../messages/languages.ts';
import { ALERT_KINDS, MAX_ALERT_ADDRESSES } from '../../../../protocol/alerts.ts';
import type { Json } from '../../../../protocol/signing/canonical-json.ts';
import type { Failure } from '../../../_trpc/failure.ts';
import { Refused } from '../../../_trpc/refused.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Field } from '../../../_ui/field.tsx';
import { RadioCards } from '../../../_ui/radio-cards.tsx';
import { TickList } from '../../../_ui/tick-list.tsx';
import { useDay } from '../../../_ui/use-day.ts';
import type { Alerts } from './use-alerts.ts';

type AlertFormProps = {
  alerts: Alerts;
  isFrozen: boolean;
  isSaving: boolean;
  failure: Failure | null;
  onSave: (fields: Readonly<Record<string, Json>>) => Promise<void>;
};

const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', 'pt-BR': 'Português', es: 'Español' };
/** The service checks an address more strictly. */
const LIKE_AN_ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Addresses with their state, what alerts are about, and their language. */
export function AlertForm({ alerts, isFrozen, isSaving, failure, onSave }: AlertFormProps) {
  const t = useTranslations('alerts');
  const locale = useLocale();
  const day = useDay();
  const left = alerts.addresses.filter(({ status }) => status === 'LEAVING');
  const [addresses, setAddresses] = useState<readonly string[]>(
    alerts.addresses.flatMap(({ address, status }) => (status === 'LEAVING' ? [] : [address])),
  );
  const [kinds, setKinds] = useState<readonly string[]>(alerts.kinds);
  const [language, setLanguage] = useState<Language>((alerts.language ?? locale) as Language);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<'wrong' | 'twice' | null>(null);

  /** The addresses with the one that was typed; null if that is none. */
  const withTyped = (): readonly string[] | null => {
    const address = typed.trim();
    if (address === '') return addresses;
    const isKnown = addresses.some((other) => other.toLowerCase() === address.toLowerCase());
    setProblem(isKnown ? 'twice' : LIKE_AN_ADDRESS.test(address) ? null : 'wrong');
    return isKnown || !LIKE_AN_ADDRESS.test(address) ? null : [...addresses, address];
  };
  const add = () => {
    const next = withTyped();
    if (!next) return;
    setAddresses(next);
    setTyped('');
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const next = withTyped();
    if (isSaving || !next) return;
    await onSave({ addresses: [...next], kinds: ALERT_KINDS.filter((kind) => kinds.includes(kind)), language });
  };
  const stateOf = (address: string): string | null => {
    const found = alerts.addresses.find((other) => other.address === address);
    return found ? t(`status.${found.status}`, { until: found.ends_at === null ? '' : day(found.ends_at) }) : null;
  };

  return (
    <form onSubmit={submit} noValidate className="space-y-7">
      <section className="space-y-3">
        <h2>{t('addresses')}</h2>
        {addresses.length + left.length === 0 && <p className="text-muted">{t('none')}</p>}
        <ul className="space-y-3">
          {addresses.map((address) => (
            <li key={address}>
              <Card className="flex flex-wrap items-center justify-between gap-3">
                <div className="min-w-0">
                  <p className="font-bold break-all">{address}</p>
                  <p className="text-muted">{stateOf(address)}</p>
                </div>
                {!isFrozen && (
                  <Button
                    look="quiet"
                    aria-label={t('removeLabel', { address })}
                    onClick={() => setAddresses(addresses.filter((other) => other !== address))}
                  >
                    {t('remove')}
                  </Button>
                )}
              </Card>
            </li>
          ))}
          {left.map(({ address }) => (
            <li key={`left ${address}`}>
              <Card className="border-dashed">
                <p className="break-all text-muted">{address}</p>
                <p className="text-muted">{stateOf(address)}</p>
              </Card>
            </li>
          ))}
        </ul>
        {!isFrozen && addresses.length < MAX_ALERT_ADDRESSES && (
          <Field
            label={t('add')}
            hint={t('addHint')}
            error={problem ? t(problem) : undefined}
            value={typed}
            onType={setTyped}
            type="email"
            limit={254}
            autoComplete="email"
            action={
              <Button look="secondary" size="large" onClick={add}>
                {t('addAction')}
              </Button>
            }
          />
        )}
        <p className="text-muted">{t('hours')}</p>
      </section>
      {!isFrozen && (
        <>
          <TickList
            legend={t('kinds')}
            hint={t('kindsHint')}
            options={ALERT_KINDS.map((kind) => [kind, t(`kind.${kind}`)])}
            ticked={kinds}
            onTick={setKinds}
          />
          <RadioCards
            legend={t('language')}
            options={LANGUAGES.map((value) => ({ value, name: LANGUAGE_NAMES[value] }))}
            chosen={language}
            onChoose={setLanguage}
          />
          <Refused failure={failure} />
          <Button type="submit" size="large" busy={isSaving}>
            {t(isSaving ? 'saving' : 'save')}
          </Button>
        </>
      )}
    </form>
  );
}
