import { createTranslator } from 'use-intl/core';
import { requestLocale } from '../locale.ts';
import { type Messages, messagesOf, type Namespace } from './messages.ts';

/** What `useTranslations` is in the browser, for components that are rendered on the server only. */
export async function translator<Chosen extends Namespace>(namespace: Chosen) {
  const locale = await requestLocale();
  return createTranslator<Messages, Chosen>({ locale, messages: messagesOf(locale), namespace, timeZone: 'UTC' });
}
