import { describe, expect, test } from 'vitest';
import { LANGUAGES } from './languages.ts';
import { messagesIn } from './messages.ts';

/** Matches messages about notifications, webhooks, and mail to institutions. */
const ABOUT_NOTIFICATIONS =
  /notif|webhook|we write to it|os avisos|para avisos|los avisos|escrevemos para ele|le escribimos/i;
const NOT_YET = {
  en: 'doesn’t send notifications yet',
  'pt-BR': 'ainda não envia notificações',
  es: 'todavía no envía notificaciones',
};

const sentencesIn = (messages: object): string[] =>
  Object.values(messages).flatMap((value: unknown) =>
    typeof value === 'string' ? [value] : sentencesIn(value as object),
  );

describe.each(LANGUAGES)('the pages in %s', (locale) => {
  test('promise no notifications to institutions, because the service sends none', () => {
    const { letters: _, ...pages } = messagesIn(locale);
    const mentioning = sentencesIn(pages).filter((sentence) => ABOUT_NOTIFICATIONS.test(sentence));
    const promising = mentioning.filter(
      (sentence) => sentence.split(' ').length > 4 && !sentence.includes(NOT_YET[locale]),
    );
    expect(promising).toEqual([]);
    expect(pages.institution.settings.contacts.webhookHint).toContain(NOT_YET[locale]);
  });
});
