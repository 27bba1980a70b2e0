import compile from 'icu-minify/compile';
import type { Language } from '../../messages/languages.ts';
import { type Messages, messagesIn, type Namespace } from '../../messages/messages.ts';

interface Texts {
  readonly [name: string]: string | Texts;
}

const compiled = new Map<string, unknown>();

/**
 * The parsed messages of some namespaces. Through the alias in next.config.js, use-intl formats these in the browser without an
 * ICU parser.
 */
export const compiledFor = (locale: Language, namespaces: readonly Namespace[]): Partial<Messages> =>
  Object.fromEntries(namespaces.map((namespace) => [namespace, once(locale, namespace)]));

function once(locale: Language, namespace: Namespace): unknown {
  const key = `${locale} ${namespace}`;
  // By way of JSON: React sends plain objects, and the parser's have no prototype.
  if (!compiled.has(key)) compiled.set(key, JSON.parse(JSON.stringify(parsed(messagesIn(locale)[namespace]))));
  return compiled.get(key);
}

const parsed = (texts: Texts): unknown =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, typeof text === 'string' ? compile(text) : parsed(text)]),
  );
