'use client';

import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { Actions } from '../../_keys/actions.tsx';
import type { Failure } from '../../_trpc/failure.ts';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { useBrowser } from '../../_ui/now.ts';
import { DecisionRefused } from './decision-refused.tsx';
import { useInstituteKey } from './institute-key.tsx';
import { type DecisionName, useDecide } from './use-decide.ts';

type DecisionFormProps = {
  operation: DecisionName;
  /** The body of the request; null while something is missing. */
  body: () => Record<string, Json> | null;
  /** Shown above the button. */
  note?: ReactNode;
  send: string;
  sending: string;
  onDone: () => void;
  /** The fields. `checked`: they report missing values. */
  children: (checked: boolean) => ReactNode;
};

type Submission = { readonly checked: boolean; readonly isSending: boolean; readonly failure: Failure | null };

/** A form whose request is sent with the entered institute key. */
export function DecisionForm({ operation, body, note, send, sending, onDone, children }: DecisionFormProps) {
  const t = useTranslations('institute');
  const isReady = useBrowser();
  const { key, forget } = useInstituteKey();
  const decide = useDecide();
  const [submission, setSubmission] = useState<Submission>({ checked: false, isSending: false, failure: null });
  const { checked, isSending, failure } = submission;

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = body();
    if (isSending) return;
    if (!given || key === null) {
      setSubmission({ checked: true, isSending: false, failure: null });
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setSubmission({ checked: true, isSending: true, failure: null });
    const refused = await decide(operation, given, key);
    setSubmission({ checked: true, isSending: false, failure: refused });
    if (!refused) return onDone();
    if (refused.code === 'INSTITUTE_KEY_INVALID') forget();
  };

  return (
    <form onSubmit={submit} noValidate className="max-w-prose space-y-7">
      {children(checked)}
      <DecisionRefused failure={failure} />
      {checked && key === null && !failure && (
        <div role="alert">
          <Alert tone="caution">
            <p>{t('key.first')}</p>
          </Alert>
        </div>
      )}
      {note}
      <p role="status" className="empty:hidden">
        {isSending && sending}
      </p>
      <Actions>
        <Button type="submit" size="large" disabled={!isReady} aria-disabled={isSending || undefined}>
          {send}
        </Button>
      </Actions>
    </form>
  );
}
