import { createTranslator } from 'use-intl/core';
import { describe, expect, test } from 'vitest';
import { LOCALES, type Locale } from './locales.ts';
import { messagesOf } from './messages.ts';

const texts = (locale: Locale) => new Map(textsIn('', messagesOf(locale)));
const english = texts('en');

describe.each(LOCALES)('the messages in %s', (locale) => {
  test('can all be read and filled in', () => {
    for (const [path, text] of texts(locale))
      expect({ path, filled: fill(locale, text, candidates(text)) !== null }).toEqual({ path, filled: true });
  });

  test('are those of the English ones, each with the same parts to fill in', () => {
    const own = texts(locale);
    expect([...own.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [path, text] of own) {
      expect({ path, parts: parts(locale, text) }).toEqual({ path, parts: parts('en', english.get(path) ?? '') });
    }
  });
});

function textsIn(path: string, value: unknown): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([name, part]) => textsIn(`${path}/${name}`, part));
}

/** Without which a text cannot be filled in. A branch of a plural may look like a part (`one {word}`), and is none. */
const parts = (locale: Locale, text: string): string[] =>
  candidates(text).filter(
    (part, _, all) =>
      fill(
        locale,
        text,
        all.filter((other) => other !== part),
      ) === null,
  );

const candidates = (text: string): string[] => [...new Set(text.match(/\{\w+(?=[,}])|<\w+>/g))].sort();

function fill(locale: Locale, text: string, given: readonly string[]): string | null {
  let failed = false;
  const onError = () => {
    failed = true;
  };
  const translate = createTranslator({ locale, messages: { text }, timeZone: 'UTC', onError });
  const values = given.map((part) => [part.replace(/\W/g, ''), part.startsWith('<') ? () => 'part' : 1]);
  const filled = translate.markup('text', Object.fromEntries(values));
  return failed ? null : filled;
}
