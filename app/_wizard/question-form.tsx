'use client';

import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { Screen } from '../_ui/screen.tsx';

export type QuestionFormProps = {
  title: string;
  lead?: ReactNode;
  /** What is missing or wrong, as a sentence; null if the question is answered. */
  missing: string | null;
  /** Where a tap on an answer goes on: the sentence that says so. */
  goesOn?: string | undefined;
  onNext: () => void;
  children: ReactNode;
};

/** One question. What is missing is reported only on submit. */
export function QuestionForm({ title, lead, missing, goesOn, onNext, children }: QuestionFormProps) {
  const next = useTranslations('common')('next');
  const [tried, setTried] = useState(false);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(missing !== null);
    if (missing === null) onNext();
  };

  return (
    <Screen title={title} heading="h1">
      <form onSubmit={submit} noValidate className="mt-2 space-y-5">
        {lead && <p className="text-muted">{lead}</p>}
        {goesOn && <p>{goesOn}</p>}
        {children}
        <div role="alert">
          {tried && missing && (
            <Alert tone="danger">
              <p>{missing}</p>
            </Alert>
          )}
        </div>
        <Button type="submit" size="large" className="w-full sm:w-auto">
          {next}
        </Button>
      </form>
    </Screen>
  );
}
