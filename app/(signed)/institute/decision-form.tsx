'use client';

import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Operations } from '../../../client/types.ts';
import type { Failure } from '../../_trpc/failure.ts';
import { Alert } from '../../_ui/alert.tsx';
import { Button } from '../../_ui/button.tsx';
import { FormActions } from '../../_ui/form-actions.tsx';
import { Screen } from '../../_ui/screen.tsx';
import { useBrowser } from '../../_ui/use-browser.ts';
import { DecisionRefused } from './decision-refused.tsx';
import { useInstituteKey } from './institute-key.tsx';
import { type DecisionName, useDecide } from './use-decide.ts';

type DecisionFormProps<Given extends DecisionName> = {
  operation: Given;
  /** The fields of the request; null while something is missing. */
  body: () => Operations[Given]['fields'] | null;
  /** What is shown again before it is sent. */
  review: { readonly title: string; readonly show: () => ReactNode };
  /** Shown above the button. */
  note?: ReactNode;
  send: string;
  sending: string;
  /** Whether nothing is left to fill in, so that the review comes first. */
  isComplete?: boolean;
  onDone: () => void;
  /** The fields. `checked`: they report missing values, until `restart`, for when a choice brings other fields. */
  children: (checked: boolean, restart: () => void) => ReactNode;
};

type Submission = {
  /** `checked`: missing values are reported. */
  readonly at: 'filling' | 'checked' | 'review' | 'sending';
  readonly failure: Failure | null;
};

/** A form whose request is sent with the entered institute key, after a review. */
export function DecisionForm<Given extends DecisionName>(props: DecisionFormProps<Given>) {
  const { operation, body, review, note, send, sending, isComplete = false, onDone, children } = props;
  const t = useTranslations('institute');
  const isReady = useBrowser();
  const { key, forget } = useInstituteKey();
  const decide = useDecide();
  const [{ at, failure }, setSubmission] = useState<Submission>({
    at: isComplete ? 'review' : 'filling',
    failure: null,
  });
  const isSending = at === 'sending';
  const isReviewing = at === 'review' || at === 'sending';
  const goTo = (next: Submission['at'], refused: Failure | null = null) =>
    setSubmission({ at: next, failure: refused });

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = body();
    if (!given || key === null) {
      goTo('checked');
      requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    if (at !== 'review') return goTo('review');
    goTo('sending');
    const refused = await decide(operation, given, key);
    goTo('review', refused);
    if (!refused) return onDone();
    if (refused.code === 'INSTITUTE_KEY_INVALID') forget();
  };

  return (
    <form onSubmit={submit} noValidate className="max-w-prose space-y-7">
      {isReviewing ? (
        <Screen title={review.title} className="space-y-4">
          {review.show()}
        </Screen>
      ) : (
        children(at !== 'filling', () => goTo('filling'))
      )}
      <DecisionRefused failure={failure} />
      {at !== 'filling' && key === null && !failure && (
        <div role="alert">
          <Alert tone="caution">
            <p>{t('key.first')}</p>
          </Alert>
        </div>
      )}
      {note}
      <FormActions>
        <Button type="submit" size="large" disabled={!isReady} busy={isSending}>
          {isSending ? sending : isReviewing ? send : t('review.next')}
        </Button>
        {isReviewing && (
          <Button look="secondary" size="large" disabled={isSending} onClick={() => goTo('checked')}>
            {t('review.change')}
          </Button>
        )}
      </FormActions>
    </form>
  );
}
