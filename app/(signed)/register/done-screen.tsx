'use client';

import { useTranslations } from 'use-intl/react';
import { Button } from '../../_ui/button.tsx';
import { LocalLink } from '../../_ui/local-link.tsx';
import { Registered } from '../../_ui/pictures/registered.tsx';
import { Actions, Question } from '../../_ui/question.tsx';

/** The institution is registered, and the next step. */
export function DoneScreen({ domain }: { domain: string }) {
  const t = useTranslations('register.done');
  return (
    <Question title={t('title', { domain })}>
      <Registered className="w-48" />
      <p className="text-lg">{t('lead')}</p>
      <h2 className="pt-2">{t('next')}</h2>
      <p>{t('certifyWhat')}</p>
      <Actions>
        <Button asChild size="large">
          <LocalLink href="/institution/certification">{t('certify')}</LocalLink>
        </Button>
        <Button asChild size="large" look="quiet">
          <LocalLink href="/institution">{t('pages')}</LocalLink>
        </Button>
      </Actions>
    </Question>
  );
}
