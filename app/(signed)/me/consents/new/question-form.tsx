'use client';

import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from '../../../../_ui/alert.tsx';
import { Button } from '../../../../_ui/button.tsx';
import { Screen } from '../../../../_ui/screen.tsx';
import type { Missing } from './draft.ts';

type QuestionFormProps = {
  title: string;
  lead?: ReactNode;
  missing: Missing | null;
  /** Whether a tap on an answer goes on. */
  goesOn?: boolean;
  onNext: () => void;
  children: ReactNode;
};

/** One question. What is missing is reported only on submit. */
export function QuestionForm({ title, lead, missing, goesOn = false, onNext, children }: QuestionFormProps) {
  const t = useTranslations();
  const [tried, setTried] = useState(false);

  const next = (event: FormEvent) => {
    event.preventDefault();
    setTried(missing !== null);
    if (missing === null) onNext();
  };

  return (
    <Screen title={title} heading="h1">
      <form onSubmit={next} noValidate className="mt-2 space-y-5">
        {lead && <p className="text-muted">{lead}</p>}
        {goesOn && <p>{t('consents.goesOn')}</p>}
        {children}
        <div role="alert">
          {tried && missing && (
            <Alert tone="danger">
              <p>{t(`consents.missing.${missing}`)}</p>
            </Alert>
          )}
        </div>
        <Button type="submit" size="large" className="w-full sm:w-auto">
          {t('common.next')}
        </Button>
      </form>
    </Screen>
  );
}
