import { useLocale, useTranslations } from 'use-intl/react';
import { Alert } from '../../_ui/alert.tsx';
import { Card } from '../../_ui/card.tsx';
import { countryName } from '../../_ui/country-name.ts';
import type { Registration } from './register-flow.ts';

/** Everything that becomes public with the registration. */
export function PublicFacts({ registration }: { registration: Registration }) {
  const t = useTranslations('register');
  const locale = useLocale();
  const { domain, ieoType, displayName, country, jurisdiction, legalId } = registration;
  const facts = [
    ['domain', domain],
    ['name', displayName],
    ['type', t(`type.${ieoType}.name`)],
    ['country', countryName(country, locale)],
    ['jurisdiction', jurisdiction],
    ['legalId', legalId],
    ['key', t('public.keyWhat')],
  ] as const;
  return (
    <>
      <h2 className="text-xl">{t('public.title')}</h2>
      <p>{t('public.lead')}</p>
      <Card>
        <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-[max-content_1fr]">
          {facts.map(
            ([name, value]) =>
              value && (
                <div key={name} className="sm:contents">
                  <dt className="text-sm text-muted sm:text-base">{t(`public.${name}`)}</dt>
                  <dd className="min-w-0 font-semibold break-words">{value}</dd>
                </div>
              ),
          )}
        </dl>
      </Card>
      <Alert tone="caution">
        <p>{t('public.stays')}</p>
      </Alert>
      <p>{t('public.later')}</p>
      <p>{t('public.uncertified')}</p>
      {ieoType === 'PHYSICIAN' && <p className="font-semibold">{t('public.person')}</p>}
    </>
  );
}
