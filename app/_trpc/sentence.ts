import type { useTranslations } from 'use-intl/react';
import type { Failure } from './failure.ts';

type Errors = ReturnType<typeof useTranslations<'errors'>>;
type Key = Parameters<ReturnType<typeof useTranslations<'errors'>>>[0];

/** The message for a failure, in the language of the messages. */
export function sentenceFor(t: Errors, { code, message }: Failure): string {
  const hasText = (code: string): code is Key => t.has(code as Key);
  return hasText(code) && code !== 'OTHER' ? t(code) : t('OTHER', { code, message });
}
