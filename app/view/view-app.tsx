'use client';

import { StrictMode, useEffect } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Language } from '../../messages/languages.ts';
import type { BiomarkerNames, Messages } from '../../messages/messages.ts';
import { Translations } from '../_i18n/language-provider.tsx';
import { Boundary } from '../_ui/boundary.tsx';
import { Button } from '../_ui/button.tsx';
import { Crashed } from './crashed.tsx';
import { Viewer } from './viewer.tsx';

/** What the document gives to the script, as JSON. */
export interface Texts {
  readonly locale: Language;
  /** The result of `compiledFor`. */
  readonly messages: Partial<Messages>;
  readonly names: BiomarkerNames;
}

/** The part of the document that needs scripts. */
export function ViewApp({ locale, messages, names }: Texts) {
  return (
    <StrictMode>
      <Translations locale={locale} messages={messages}>
        <Boundary failed={<NotOpened />}>
          <Viewer names={names} />
        </Boundary>
      </Translations>
    </StrictMode>
  );
}

/** The page failed before it showed what a link contains. */
function NotOpened() {
  const t = useTranslations('view.crashed');
  // Another link in the address.
  useEffect(() => {
    const reload = () => location.reload();
    addEventListener('hashchange', reload);
    return () => removeEventListener('hashchange', reload);
  }, []);
  return (
    <Crashed>
      <p>{t('again')}</p>
      <Button size="large" onClick={() => location.reload()}>
        {t('reload')}
      </Button>
    </Crashed>
  );
}
