'use client';

import { StrictMode } from 'react';
import type { Language } from '../../messages/languages.ts';
import type { BiomarkerNames, Messages } from '../../messages/messages.ts';
import { Translations } from '../_i18n/language-provider.tsx';
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
        <Viewer names={names} />
      </Translations>
    </StrictMode>
  );
}
