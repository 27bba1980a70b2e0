'use client';

import { createContext, type ReactNode, use } from 'react';
import { IntlProvider } from 'use-intl/react';
import type { Language } from '../../messages/languages.ts';
import type { Messages } from '../../messages/messages.ts';

type TranslationsProps = {
  locale: Language;
  /** As `compiledFor` makes them. */
  messages: Partial<Messages>;
  children: ReactNode;
};

const Above = createContext<Partial<Messages>>({});

/** Gives the client components below it their language, and the messages besides those that are given further up. */
export function Translations({ locale, messages, children }: TranslationsProps) {
  const all = { ...use(Above), ...messages };
  return (
    <Above value={all}>
      <IntlProvider locale={locale} messages={all} timeZone="UTC">
        {children}
      </IntlProvider>
    </Above>
  );
}
