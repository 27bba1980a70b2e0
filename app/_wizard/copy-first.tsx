'use client';

import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { lacksCopy } from '../_keys/identities.ts';
import { CopyOfKey } from '../_session/copy-of-key.tsx';
import { useSession } from '../_session/session.tsx';
import { useRevealed } from '../_session/use-revealed.ts';
import { Button } from '../_ui/button.tsx';
import { Actions, Question } from '../_ui/question.tsx';

type CopyFirstProps = {
  /** Before the first consent, or after the days for which the copy could be put off. */
  why: 'consent' | 'days';
  children: ReactNode;
};

/** Asks for a copy of the current identity's key in place of its children, where the copy was put off. */
export function CopyFirst({ why, children }: CopyFirstProps) {
  const t = useTranslations('session.copyFirst');
  const { current } = useSession();
  const { key, show, hide } = useRevealed();
  if (!current || !lacksCopy(current)) return children;
  const { domain } = current;
  if (key) return <CopyOfKey secret={key.secret} heading="h1" lead={<p>{t('lead', { domain })}</p>} onKept={hide} />;
  return (
    <Question title={t('title')}>
      <p className="max-w-form text-lg">{t(why, { domain })}</p>
      <p className="max-w-form">{t('how')}</p>
      <Actions>
        <Button size="large" onClick={show}>
          {t('make')}
        </Button>
      </Actions>
    </Question>
  );
}
