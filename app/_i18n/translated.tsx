import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Namespace } from '../../messages/messages.ts';
import { compiledFor } from './compiled.ts';
import { Translations } from './language-provider.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { requestLocale } from './request-locale.ts';
import { translator } from './translator.ts';

type WithMessagesProps = {
  /** The namespaces that the client components below use. */
  namespaces: readonly Namespace[];
  children: ReactNode;
};

/** Gives client components the messages of the page's language. */
export async function WithMessages({ namespaces, children }: WithMessagesProps) {
  const locale = await requestLocale();
  return (
    <Translations locale={locale} messages={compiledFor(locale, namespaces)}>
      {children}
    </Translations>
  );
}

/** The content of a page, with the messages for its client components. */
export function Translated(props: WithMessagesProps) {
  return (
    <div className="page pt-2">
      <WithMessages {...props} />
    </div>
  );
}

/** The links to the same page in the other languages. */
export async function Languages() {
  const t = await translator('shell');
  return (
    <LanguageSwitch
      locale={await requestLocale()}
      label={t('language')}
      mark={<Check aria-hidden className="size-5 text-accent" />}
    />
  );
}
