import type {} from 'use-intl';
import enAccept from '../messages/en/accept.ts';
import enAccess from '../messages/en/access.ts';
import enCommon from '../messages/en/common.ts';
import enConfirm from '../messages/en/confirm.ts';
import enConsents from '../messages/en/consents.ts';
import enCreate from '../messages/en/create.ts';
import enDashboard from '../messages/en/dashboard.ts';
import enErrors from '../messages/en/errors.ts';
import enExplore from '../messages/en/explore.ts';
import enExporting from '../messages/en/exporting.ts';
import enGuarded from '../messages/en/guarded.ts';
import enGuardian from '../messages/en/guardian.ts';
import enHome from '../messages/en/home.ts';
import enInstitute from '../messages/en/institute.ts';
import enInstitution from '../messages/en/institution.ts';
import enKeys from '../messages/en/keys.ts';
import enMail from '../messages/en/mail.ts';
import enMyGuardians from '../messages/en/myGuardians.ts';
import enOverview from '../messages/en/overview.ts';
import enRecords from '../messages/en/records.ts';
import enRecover from '../messages/en/recover.ts';
import enRegister from '../messages/en/register.ts';
import enSafety from '../messages/en/safety.ts';
import enScope from '../messages/en/scope.ts';
import enSession from '../messages/en/session.ts';
import enShell from '../messages/en/shell.ts';
import enSignIn from '../messages/en/signIn.ts';
import esAccept from '../messages/es/accept.ts';
import esAccess from '../messages/es/access.ts';
import esCommon from '../messages/es/common.ts';
import esConfirm from '../messages/es/confirm.ts';
import esConsents from '../messages/es/consents.ts';
import esCreate from '../messages/es/create.ts';
import esDashboard from '../messages/es/dashboard.ts';
import esErrors from '../messages/es/errors.ts';
import esExplore from '../messages/es/explore.ts';
import esExporting from '../messages/es/exporting.ts';
import esGuarded from '../messages/es/guarded.ts';
import esGuardian from '../messages/es/guardian.ts';
import esHome from '../messages/es/home.ts';
import esInstitute from '../messages/es/institute.ts';
import esInstitution from '../messages/es/institution.ts';
import esKeys from '../messages/es/keys.ts';
import esMail from '../messages/es/mail.ts';
import esMyGuardians from '../messages/es/myGuardians.ts';
import esOverview from '../messages/es/overview.ts';
import esRecords from '../messages/es/records.ts';
import esRecover from '../messages/es/recover.ts';
import esRegister from '../messages/es/register.ts';
import esSafety from '../messages/es/safety.ts';
import esScope from '../messages/es/scope.ts';
import esSession from '../messages/es/session.ts';
import esShell from '../messages/es/shell.ts';
import esSignIn from '../messages/es/signIn.ts';
import ptAccept from '../messages/pt-BR/accept.ts';
import ptAccess from '../messages/pt-BR/access.ts';
import ptCommon from '../messages/pt-BR/common.ts';
import ptConfirm from '../messages/pt-BR/confirm.ts';
import ptConsents from '../messages/pt-BR/consents.ts';
import ptCreate from '../messages/pt-BR/create.ts';
import ptDashboard from '../messages/pt-BR/dashboard.ts';
import ptErrors from '../messages/pt-BR/errors.ts';
import ptExplore from '../messages/pt-BR/explore.ts';
import ptExporting from '../messages/pt-BR/exporting.ts';
import ptGuarded from '../messages/pt-BR/guarded.ts';
import ptGuardian from '../messages/pt-BR/guardian.ts';
import ptHome from '../messages/pt-BR/home.ts';
import ptInstitute from '../messages/pt-BR/institute.ts';
import ptInstitution from '../messages/pt-BR/institution.ts';
import ptKeys from '../messages/pt-BR/keys.ts';
import ptMail from '../messages/pt-BR/mail.ts';
import ptMyGuardians from '../messages/pt-BR/myGuardians.ts';
import ptOverview from '../messages/pt-BR/overview.ts';
import ptRecords from '../messages/pt-BR/records.ts';
import ptRecover from '../messages/pt-BR/recover.ts';
import ptRegister from '../messages/pt-BR/register.ts';
import ptSafety from '../messages/pt-BR/safety.ts';
import ptScope from '../messages/pt-BR/scope.ts';
import ptSession from '../messages/pt-BR/session.ts';
import ptShell from '../messages/pt-BR/shell.ts';
import ptSignIn from '../messages/pt-BR/signIn.ts';
import type { Locale } from './locales.ts';

const en = {
  accept: enAccept,
  access: enAccess,
  common: enCommon,
  confirm: enConfirm,
  consents: enConsents,
  create: enCreate,
  dashboard: enDashboard,
  errors: enErrors,
  explore: enExplore,
  exporting: enExporting,
  guarded: enGuarded,
  guardian: enGuardian,
  home: enHome,
  institute: enInstitute,
  institution: enInstitution,
  keys: enKeys,
  mail: enMail,
  myGuardians: enMyGuardians,
  overview: enOverview,
  records: enRecords,
  recover: enRecover,
  register: enRegister,
  safety: enSafety,
  scope: enScope,
  session: enSession,
  shell: enShell,
  signIn: enSignIn,
};

/** Every sentence of the pages, by namespace: ICU message texts. English gives the form. */
export type Messages = typeof en;
export type Namespace = keyof Messages;

const MESSAGES: Record<Locale, Messages> = {
  en,
  'pt-BR': {
    accept: ptAccept,
    access: ptAccess,
    common: ptCommon,
    confirm: ptConfirm,
    consents: ptConsents,
    create: ptCreate,
    dashboard: ptDashboard,
    errors: ptErrors,
    explore: ptExplore,
    exporting: ptExporting,
    guarded: ptGuarded,
    guardian: ptGuardian,
    home: ptHome,
    institute: ptInstitute,
    institution: ptInstitution,
    keys: ptKeys,
    mail: ptMail,
    myGuardians: ptMyGuardians,
    overview: ptOverview,
    records: ptRecords,
    recover: ptRecover,
    register: ptRegister,
    safety: ptSafety,
    scope: ptScope,
    session: ptSession,
    shell: ptShell,
    signIn: ptSignIn,
  },
  es: {
    accept: esAccept,
    access: esAccess,
    common: esCommon,
    confirm: esConfirm,
    consents: esConsents,
    create: esCreate,
    dashboard: esDashboard,
    errors: esErrors,
    explore: esExplore,
    exporting: esExporting,
    guarded: esGuarded,
    guardian: esGuardian,
    home: esHome,
    institute: esInstitute,
    institution: esInstitution,
    keys: esKeys,
    mail: esMail,
    myGuardians: esMyGuardians,
    overview: esOverview,
    records: esRecords,
    recover: esRecover,
    register: esRegister,
    safety: esSafety,
    scope: esScope,
    session: esSession,
    shell: esShell,
    signIn: esSignIn,
  },
};

declare module 'use-intl' {
  interface AppConfig {
    Locale: Locale;
    Messages: Messages;
  }
}

export const messagesOf = (locale: Locale): Messages => MESSAGES[locale];
