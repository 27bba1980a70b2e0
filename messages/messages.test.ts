import compile from 'icu-minify/compile';
import { describe, expect, test } from 'vitest';
import { BEGIN_EPOCH } from '../protocol/ledger/epoch.ts';
import { OPERATIONS } from '../protocol/operations.ts';
import { LANGUAGES, type Language } from './languages.ts';
import { biomarkerNamesIn, messagesIn } from './messages.ts';

type Text = readonly [key: string, text: string];

const textsIn = (language: Language): readonly Text[] => texts('', messagesIn(language));

function texts(prefix: string, section: object): Text[] {
  return Object.entries(section).flatMap(([name, value]: [string, unknown]): Text[] => {
    if (typeof value === 'string') return [[`${prefix}${name}`, value]];
    if (typeof value === 'object' && value !== null) return texts(`${prefix}${name}.`, value);
    throw new Error(`${prefix}${name} is neither a text nor a section.`);
  });
}

describe.each(LANGUAGES)('the messages in %s', (language) => {
  test('are valid ICU messages', () => {
    const all = [...textsIn(language), ...Object.entries(biomarkerNamesIn(language))];
    expect(all.filter(([, text]) => partsOf(text) === null)).toEqual([]);
  });

  test('have the keys of the English ones', () => {
    const keysIn = (one: Language) => textsIn(one).map(([key]) => key);
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

  test('label every operation, by its function, and the entry that begins an epoch', () => {
    const functions = new Set([...OPERATIONS.map((operation) => operation.function), BEGIN_EPOCH]);
    expect(Object.keys(messagesIn(language).operations).toSorted()).toEqual([...functions].toSorted());
  });
});

test('arguments, tags and the branches of a select are found in a message', () => {
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

/** What code has to pass to a message; null where the message is not ICU. */
function partsOf(text: string): readonly string[] | null {
  try {
    return [...new Set(partsOfNodes(compile(text)))].toSorted();
  } catch {
    return null;
  }
}

/** How icu-minify numbers the kinds of an argument that have branches. */
const SELECT = 1;
const PLURAL = 2;
const SELECT_ORDINAL = 3;

/** A message and a branch are a text or a list of nodes; of the nodes, texts and 0 (#) hold nothing to pass. */
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
