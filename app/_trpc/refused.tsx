'use client';

import { useTranslations } from 'use-intl/react';
import { Alert } from '../_ui/alert.tsx';
import type { Failure } from './failure.ts';
import { sentenceFor } from './sentence.ts';

/** The message for a failure, in the language of the page. */
export function useSentence(): (failure: Failure) => string {
  const t = useTranslations('errors');
  return (failure) => sentenceFor(t, failure);
}

/** Shows a failure. The alert region exists while it is empty, so that screen readers announce its content. */
export function Refused({ failure }: { failure: Failure | null | undefined }) {
  const t = useTranslations('common');
  const sentence = useSentence();
  return (
    <div role="alert">
      {failure && (
        <Alert {...(failure.code === 'ARRIVED' ? {} : ({ tone: 'danger', title: t('failed') } as const))}>
          <p>{sentence(failure)}</p>
        </Alert>
      )}
    </div>
  );
}
