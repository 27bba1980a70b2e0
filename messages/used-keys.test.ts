import { expect, test } from 'vitest';
import { messagesIn } from './messages.ts';
import { usesIn } from './test-uses.ts';

/**
 * Sections whose keys are known at run time only. Other tests compare their keys with the possible values: messages.test.ts
 * operations, biomarkers.test.ts categories and levels, errors.test.ts errors.
 */
const RUN_TIME_SECTIONS = [
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
const { uses: USES, sectionsWithKeyType: SECTIONS_WITH_KEY_TYPE } = usesIn(
  /^\/(app|messages|server)\/(?!.*\.test\.tsx?$)/,
);

test('code uses every message, with keys that types determine', () => {
  const used = new Set(USES.flatMap(({ section, keys }) => keys?.map((key) => join(section, key)) ?? []));
  expect(ALL.filter((key) => !used.has(key))).toEqual([]);
  expect(USES.filter(({ keys }) => keys === null)).toEqual([]);
});

test('only sections with run-time keys are cast to a key type, and they have no subsections', () => {
  expect(SECTIONS_WITH_KEY_TYPE).toEqual(RUN_TIME_SECTIONS);
  for (const section of RUN_TIME_SECTIONS) {
    const keys = ALL.filter((key) => key.startsWith(`${section}.`)).map((key) => key.slice(section.length + 1));
    expect(keys.filter((key) => key.includes('.'))).toEqual([]);
  }
});

const join = (section: string, key: string): string => (section === '' ? key : `${section}.${key}`);
