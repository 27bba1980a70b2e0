import type { ReactNode } from 'react';
import { requestLocale } from '../locale.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { messagesFor, type Namespace } from './messages.ts';
import { Translations } from './provider.tsx';
import { translator } from './translator.ts';

type WithMessagesProps = {
  /** All that the client components below read. */
  namespaces: readonly Namespace[];
  children: ReactNode;
};

/** Gives client components the messages of the page's language. */
export async function WithMessages({ namespaces, children }: WithMessagesProps) {
  const locale = await requestLocale();
  return (
    <Translations locale={locale} messages={messagesFor(locale, namespaces)}>
      {children}
    </Translations>
  );
}

/** A page that exists in every language: the links to the others, and the messages for its client components. */
export async function Translated({ namespaces, children }: WithMessagesProps) {
  const t = await translator('shell');
  return (
    <div className="page pt-2">
      <LanguageSwitch locale={await requestLocale()} label={t('language')} />
      <WithMessages namespaces={namespaces}>{children}</WithMessages>
    </div>
  );
}
