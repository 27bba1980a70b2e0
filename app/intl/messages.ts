import type {} from 'use-intl';
import enAccept from '../messages/en/accept.ts';
import enConfirm from '../messages/en/confirm.ts';
import enGuardian from '../messages/en/guardian.ts';
import enKeys from '../messages/en/keys.ts';
import enRecover from '../messages/en/recover.ts';
import enShell from '../messages/en/shell.ts';
import esAccept from '../messages/es/accept.ts';
import esConfirm from '../messages/es/confirm.ts';
import esGuardian from '../messages/es/guardian.ts';
import esKeys from '../messages/es/keys.ts';
import esRecover from '../messages/es/recover.ts';
import esShell from '../messages/es/shell.ts';
import ptAccept from '../messages/pt-BR/accept.ts';
import ptConfirm from '../messages/pt-BR/confirm.ts';
import ptGuardian from '../messages/pt-BR/guardian.ts';
import ptKeys from '../messages/pt-BR/keys.ts';
import ptRecover from '../messages/pt-BR/recover.ts';
import ptShell from '../messages/pt-BR/shell.ts';
import type { Locale } from './locales.ts';

const en = {
  accept: enAccept,
  confirm: enConfirm,
  guardian: enGuardian,
  keys: enKeys,
  recover: enRecover,
  shell: enShell,
};

/** Every sentence of the translated pages, by namespace: ICU message texts. English gives the form. */
export type Messages = typeof en;
export type Namespace = keyof Messages;

const MESSAGES: Record<Locale, Messages> = {
  en,
  'pt-BR': {
    accept: ptAccept,
    confirm: ptConfirm,
    guardian: ptGuardian,
    keys: ptKeys,
    recover: ptRecover,
    shell: ptShell,
  },
  es: {
    accept: esAccept,
    confirm: esConfirm,
    guardian: esGuardian,
    keys: esKeys,
    recover: esRecover,
    shell: esShell,
  },
};

declare module 'use-intl' {
  interface AppConfig {
    Locale: Locale;
    Messages: Messages;
  }
}

export const messagesOf = (locale: Locale): Messages => MESSAGES[locale];

/** What is sent to the browser: only the namespaces that a page's client components read. */
export const messagesFor = (locale: Locale, namespaces: readonly Namespace[]): Partial<Messages> =>
  Object.fromEntries(namespaces.map((namespace) => [namespace, MESSAGES[locale][namespace]]));
