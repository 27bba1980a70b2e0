import { createTranslator } from 'use-intl/core';
import type { Language } from '../messages/languages.ts';
import { type Messages, messagesIn, type Namespace } from '../messages/messages.ts';
import { compiledFor } from './_i18n/compiled.ts';
import { NOT_FOUND, type Titles } from './_ui/title-at.ts';

type Words = ReturnType<typeof createTranslator<Messages>>;

/**
 * The title of each page by its route. Titles appear in histories and previews, so none contains a reference or names a
 * person.
 */
const TITLES: Readonly<Record<string, (t: Words) => string>> = {
  '/alerts/confirm/[token]': (t) => t('alerts.link.title'),
  '/ask': (t) => t('ask.pageTitle'),
  '/catalogue': (t) => t('catalogue.title'),
  '/contact': (t) => t('contact.title'),
  '/create': (t) => t('create.title'),
  '/developers': (t) => t('developers.title'),
  '/developers/[operation]': (t) => t('developers.operation'),
  '/developers/errors': (t) => t('developers.errors'),
  '/developers/errors/[code]': (t) => t('developers.error'),
  '/developers/guides/[guide]': (t) => t('developers.guide'),
  '/developers/search': (t) => t('developers.search'),
  '/developers/signature': (t) => t('developers.signature'),
  '/explore': (t) => t('explore.title'),
  '/explore/[reference]': (t) => t('explore.title'),
  '/explore/search': (t) => t('explore.title'),
  '/guardian': (t) => t('guarded.title'),
  '/guardian/accept/[token]': (t) => t('accept.title'),
  '/guardian/confirm-recovery/[token]': (t) => t('confirm.title'),
  '/guardian/practise/[token]': (t) => t('practise.title'),
  '/help': (t) => t('help.title'),
  '/institute': (t) => t('institute.title'),
  '/institution': (t) => t('institution.overview.title'),
  '/institution/certification': (t) => t('institution.certification.title'),
  '/institution/consents/ask': (t) => t('institution.askConsent.title'),
  '/institution/consents': (t) => t('institution.consents.title'),
  '/institution/destroy': (t) => t('safety.destroy.title', { kind: 'institution' }),
  '/institution/export': (t) => t('institution.export.title'),
  '/institution/key': (t) => t('institution.settings.page.key'),
  '/institution/leave': (t) => t('institution.settings.page.leave'),
  '/institution/read': (t) => t('institution.read.title'),
  '/institution/replace': (t) => t('safety.replace.title'),
  '/institution/settings': (t) => t('institution.settings.page.settings'),
  '/institution/submissions': (t) => t('institution.submissions.title'),
  '/institution/submit': (t) => t('institution.submit.title'),
  '/mail/unsubscribe/[token]': (t) => t('mail.title'),
  '/me': (t) => t('overview.title'),
  '/me/access': (t) => t('access.title'),
  '/me/alerts': (t) => t('alerts.title'),
  '/me/asked': (t) => t('asked.who.title'),
  '/me/consents': (t) => t('consents.title'),
  '/me/consents/[tokenId]': (t) => t('consents.oneTitle'),
  '/me/consents/new': (t) => t('consents.giveTitle'),
  '/me/destroy': (t) => t('safety.destroy.title', { kind: 'holder' }),
  '/me/export': (t) => t('exporting.title'),
  '/me/guardians': (t) => t('myGuardians.title'),
  '/me/records': (t) => t('records.title'),
  '/me/records/[biomarker]': (t) => t('records.title'),
  '/me/replace': (t) => t('safety.replace.title'),
  '/me/safety': (t) => t('safety.title'),
  '/me/shares': (t) => t('shares.title'),
  '/me/shares/new': (t) => t('shares.newTitle'),
  '/privacy': (t) => t('privacy.title'),
  '/recover': (t) => t('recover.title'),
  '/register': (t) => t('register.title'),
  '/sign-in': (t) => t('signIn.title'),
  '/sign-in/bring': (t) => t('signIn.bring.title'),
  '/terms': (t) => t('terms.title'),
  '/view': (t) => t('view.pageTitle'),
  [NOT_FOUND]: (t) => t('common.notFound.title'),
};

/** The titles of all pages in the language of the translator, each with the name of the service. */
export function titlesBy(t: Words): Titles {
  const name = t('shell.name');
  return {
    '/': `${name}: ${t('home.hero.title')}`,
    ...Object.fromEntries(Object.entries(TITLES).map(([route, titleIn]) => [route, `${titleIn(t)} – ${name}`])),
  };
}

const made = new Map<Language, Titles>();

/** The titles in a language, cached. */
export function titlesIn(locale: Language): Titles {
  const known = made.get(locale);
  if (known) return known;
  const messages = compiledFor(locale, Object.keys(messagesIn(locale)) as Namespace[]) as Messages;
  const titles = titlesBy(createTranslator({ locale, messages, timeZone: 'UTC' }));
  made.set(locale, titles);
  return titles;
}
