import { createTranslator } from 'use-intl/core';
import { expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../messages/languages.ts';
import { type Messages, messagesIn } from '../messages/messages.ts';
import { NOT_FOUND, titleAt } from './_ui/title-at.ts';
import { pagesOnDisk } from './test-pages.ts';
import { titlesBy } from './titles.ts';

const titlesIn = (locale: Language) =>
  titlesBy(
    createTranslator<Messages>({
      locale,
      messages: messagesIn(locale),
      timeZone: 'UTC',
      onError: (error) => {
        throw error;
      },
    }),
  );

test('every page has a title in every language, and every title a page', () => {
  const routes = [...pagesOnDisk(), NOT_FOUND].sort();
  expect(routes).toContain('/me/consents/[tokenId]');
  for (const locale of LANGUAGES) {
    const titles = titlesIn(locale);
    expect(Object.keys(titles).sort(), 'app/titles.ts needs a title for each page').toEqual(routes);
    for (const [route, title] of Object.entries(titles))
      expect(title, `${route} in ${locale}`).toMatch(/\S.*Perpetua|Perpetua: \S/);
  }
  expect(titlesIn('es')['/me/records']).not.toBe(titlesIn('en')['/me/records']);
});

test('finds the title by the route, for any address', () => {
  const titles = { '/': 'First', '/me': 'Mine', '/me/[id]': 'One', '/me/new': 'New', [NOT_FOUND]: 'None' };
  const titleOf = (address: string) => titleAt(titles, address.split('/').filter(Boolean));
  expect(['/', '/me', '/me/new', '/me/x', '/me/[id]'].map(titleOf)).toEqual(['First', 'Mine', 'New', 'One', 'One']);
  expect(['/you', '/me/x/y', '/_not-found', '/constructor'].map(titleOf)).toEqual(['None', 'None', 'None', 'None']);
});
