import { createTranslator } from 'use-intl/core';
import type { Messages, Namespace } from '../../messages/messages.ts';
import { compiledFor } from './compiled.ts';
import { requestLocale } from './request-locale.ts';

/** `useTranslations` for components that are rendered on the server only. */
export async function translator<Chosen extends Namespace>(namespace: Chosen) {
  const locale = await requestLocale();
  const messages = compiledFor(locale, [namespace]) as Messages;
  return createTranslator<Messages, Chosen>({ locale, messages, namespace, timeZone: 'UTC' });
}
