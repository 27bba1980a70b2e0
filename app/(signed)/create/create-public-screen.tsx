'use client';

import { useTranslations } from 'use-intl/react';
import { Alert } from '../../_ui/alert.tsx';
import { Actions, Question } from '../../_ui/question.tsx';
import { StepLink } from '../../_wizard/wizard.tsx';

/** What becomes public permanently, before anything is sent. */
export function PublicScreen({ domain }: { domain: string }) {
  const t = useTranslations('create.public');
  return (
    <Question title={t('title')}>
      <p className="text-lg">{t('lead')}</p>
      <h2 className="pt-2">{t('yesTitle')}</h2>
      <ul className="list-disc space-y-2 pl-6">
        <li>{t('name', { domain })}</li>
        <li>{t('key')}</li>
        <li>{t('later')}</li>
      </ul>
      <h2 className="pt-2">{t('noTitle')}</h2>
      <ul className="list-disc space-y-2 pl-6">
        <li>{t('you')}</li>
        <li>{t('records')}</li>
        <li>{t('guardians')}</li>
      </ul>
      <Alert tone="caution">
        <p>{t('forEver')}</p>
      </Alert>
      <Actions>
        <StepLink to="here">{t('next')}</StepLink>
      </Actions>
    </Question>
  );
}
