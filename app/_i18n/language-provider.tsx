'use client';

import { createContext, type ReactNode, use } from 'react';
import { IntlProvider } from 'use-intl/react';
import type { Language } from '../../messages/languages.ts';
import type { Messages } from '../../messages/messages.ts';

type TranslationsProps = {
  locale: Language;
  /** The result of `compiledFor`. */
  messages: Partial<Messages>;
  children: ReactNode;
};

const Above = createContext<Partial<Messages>>({});

/** Provides the language and these messages to client components, in addition to those of outer providers. */
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
