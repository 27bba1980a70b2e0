import compile from 'icu-minify/compile';
import { describe, expect, test } from 'vitest';
import { BEGIN_EPOCH } from '../protocol/ledger/epoch.ts';
import { COMMIT_RELAYER_KEY, ROTATE_RELAYER_KEY } from '../protocol/ledger/relayer-keys.ts';
import { OPERATIONS } from '../protocol/operations.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { biomarkerNamesIn, messagesIn } from './messages.ts';

type Text = readonly [key: string, text: string];

const textsIn = (language: Language): readonly Text[] => texts('', messagesIn(language));

function texts(prefix: string, section: object): Text[] {
  return Object.entries(section).flatMap(([name, value]: [string, unknown]): Text[] => {
    if (typeof value === 'string') return [[`${prefix}${name}`, value]];
    if (typeof value === 'object' && value !== null) return texts(`${prefix}${name}.`, value);
    throw new Error(`${prefix}${name} is neither a message nor a section.`);
  });
}

describe.each(LANGUAGES)('the messages in %s', (language) => {
  test('are valid ICU messages', () => {
    const all = [...textsIn(language), ...Object.entries(biomarkerNamesIn(language))];
    expect(all.filter(([, text]) => partsOf(text) === null)).toEqual([]);
  });

  test('have the keys of the English ones', () => {
    const keysIn = (language: Language) => textsIn(language).map(([key]) => key);
    expect(keysIn(language).toSorted()).toEqual(keysIn('en').toSorted());
  });

  test('have the arguments and tags of the English ones', () => {
    const english = new Map(textsIn('en'));
    for (const [key, text] of textsIn(language))
      expect([key, ...(partsOf(text) ?? [])]).toEqual([key, ...(partsOf(english.get(key) ?? '') ?? [])]);
  });

  test('are not empty, and do not begin or end with a space', () => {
    expect(textsIn(language).filter(([, text]) => !/^\S(.*\S)?$/su.test(text))).toEqual([]);
  });

  test('have a label for every operation and for the entries of the relayer alone', () => {
    const functions = new Set([
      ...OPERATIONS.map((operation) => operation.function),
      BEGIN_EPOCH,
      COMMIT_RELAYER_KEY,
      ROTATE_RELAYER_KEY,
    ]);
    const labels = Object.keys(messagesIn(language).operations);
    const advice = `"operations" in messages/${language}.json needs each function that is signed, and no other`;
    expect(labels.toSorted(), advice).toEqual([...functions].toSorted());
  });
});

const AMERICAN =
  /\b(?!(?:tree)?sizes?\b)\w*(?:iz(?:e[ds]?|ing|ations?)|yz(?:e[ds]?|ing)|[cf]olor\w*|avor\w*|center\w*|catalogs?|canceled|gray)\b/i;

test('the English messages have British spelling', () => {
  expect(textsIn('en').filter(([, text]) => AMERICAN.test(text.replace(/\{[^{}]*\}/g, '')))).toEqual([]);
  expect(['recognize', 'analyzed', 'center'].every((word) => AMERICAN.test(word))).toBe(true);
  expect(AMERICAN.test('size of a licence, recognised')).toBe(false);
});

test('partsOf returns the arguments, tags and branches of a select', () => {
  expect(partsOf('Hello')).toEqual([]);
  expect(partsOf('{n, plural, one {# <b>day</b>} other {# days, {until}}}')).toEqual(['<b>', '{n}', '{until}']);
  expect(partsOf('{kind, select, holder {you} other {it}} {at, date, short}')).toEqual([
    '{at}',
    '{kind: holder}',
    '{kind: other}',
    '{kind}',
  ]);
  for (const broken of ['{n', '<b>bold', '{n, plural, one {# day}}']) expect(partsOf(broken)).toBe(null);
});

/** The arguments and tags that code must pass to a message, sorted; null if it is not a valid ICU message. */
function partsOf(text: string): readonly string[] | null {
  try {
    return [...new Set(partsOfNodes(compile(text)))].toSorted();
  } catch {
    return null;
  }
}

/** The numbers of icu-minify for the kinds of arguments with branches. */
const SELECT = 1;
const PLURAL = 2;
const SELECT_ORDINAL = 3;

/** A message and a branch are a string or a list of nodes. Strings and 0 (#) have no parts. */
const partsOfNodes = (nodes: unknown): readonly string[] =>
  Array.isArray(nodes) ? nodes.flatMap((node: unknown) => (Array.isArray(node) ? partsOfNode(node) : [])) : [];

/** A node is `[argument]`, `[argument, kind, options]` or `[tag, ...nodes]`. */
function partsOfNode([name, kind, options, ...rest]: readonly unknown[]): readonly string[] {
  if (kind === undefined) return [`{${name}}`];
  if (typeof kind !== 'number' || kind === 0) return [`<${name}>`, ...partsOfNodes([kind, options, ...rest])];
  if (kind !== SELECT && kind !== PLURAL && kind !== SELECT_ORDINAL) return [`{${name}}`];
  const branches = Object.entries(options ?? {});
  const values = kind === SELECT ? branches.map(([value]) => `{${name}: ${value}}`) : [];
  return [`{${name}}`, ...values, ...branches.flatMap(([, branch]) => partsOfNodes(branch))];
}
