'use client';

import { useTranslations } from 'use-intl/react';
import { PassOnLink } from '../../../_ui/pass-on-link.tsx';
import { Question } from '../../../_ui/question.tsx';
import { StepLink } from '../../../_wizard/wizard.tsx';
import type { Flow } from './guardian-screen-props.ts';
import { stepOf } from './guardian-screens.ts';
import type { Place } from './status.ts';

/** The link with which a guardian checks that the key is still there, and what to do if it is not. */
export function AskToCheck({ place, domain, focus, nameOf, who }: Flow & { place: Place }) {
  const t = useTranslations('myGuardians.ask');
  return (
    <Question title={t('title', who(place))} focus={focus}>
      <p className="text-lg">{t('lead')}</p>
      <PassOnLink
        link={new URL('/guardian', location.href).href}
        name={nameOf(place)}
        message={t('message', { domain })}
      />
      <p>{t('then')}</p>
      <h2 className="pt-2">{t('lost')}</h2>
      <ol className="list-decimal space-y-2 pl-6 marker:font-bold">
        <li>{t('remove')}</li>
        <li>{t('invite')}</li>
        <li>{t('compare')}</li>
      </ol>
      <div className="flex flex-col sm:items-start">
        <StepLink to={stepOf('remove', place.role)} look="secondary">
          {t('replace')}
        </StepLink>
      </div>
    </Question>
  );
}
