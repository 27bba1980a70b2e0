'use client';

import type { ReactNode } from 'react';
import { IntlProvider } from 'use-intl/react';
import type { Locale } from './locales.ts';
import type { Messages } from './messages.ts';

type TranslationsProps = {
  locale: Locale;
  /** As `messagesFor` picks them. */
  messages: Partial<Messages>;
  children: ReactNode;
};

/** Gives the client components below it their language. */
export function Translations({ locale, messages, children }: TranslationsProps) {
  return (
    <IntlProvider locale={locale} messages={messages} timeZone="UTC">
      {children}
    </IntlProvider>
  );
}
