import { expect, test } from 'vitest';
import { messagesIn } from './messages.ts';
import { usesIn } from './test-uses.ts';

/**
 * Sections that code reads by a key that arrives at run time. Each holds nothing else, and another test compares its keys with what
 * can arrive: messages.test.ts those of operations, biomarkers.test.ts those of categories, errors.test.ts those of errors.
 */
const READ_AT_RUN_TIME = [
  'errors',
  'guardian.errors',
  'institute.problem',
  'operations',
  'recover.errors',
  'scope.category',
  'scope.level',
];

const keysIn = (section: object): readonly string[] =>
  Object.entries(section).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null ? keysIn(value).map((key) => `${name}.${key}`) : [name],
  );

const ALL = keysIn(messagesIn('en'));
const { uses: USES, sectionsWithKeyType: SECTIONS_WITH_KEY_TYPE } = usesIn(/^\/(app|server)\/(?!.*\.test\.tsx?$)/);

test('code uses every message, by a key that its type tells', () => {
  const used = new Set(USES.flatMap(({ section, keys }) => keys?.map((key) => join(section, key)) ?? []));
  expect(ALL.filter((key) => !used.has(key))).toEqual([]);
  expect(USES.filter(({ keys }) => keys === null)).toEqual([]);
});

test('only sections that are read at run time have a type of all their keys, and hold nothing else', () => {
  expect(SECTIONS_WITH_KEY_TYPE).toEqual(READ_AT_RUN_TIME);
  for (const section of READ_AT_RUN_TIME) {
    const keys = ALL.filter((key) => key.startsWith(`${section}.`)).map((key) => key.slice(section.length + 1));
    expect(keys.filter((key) => key.includes('.'))).toEqual([]);
  }
});

const join = (section: string, key: string): string => (section === '' ? key : `${section}.${key}`);
