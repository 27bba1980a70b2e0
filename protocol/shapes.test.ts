import { describe, expect, test } from 'vitest';
import {
  contactUrl,
  entityReference,
  guardianContact,
  guardianName,
  instant,
  oneOf,
  proposalReference,
  reason,
  recovery,
  text,
  tokenReference,
} from './shapes.ts';

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown): boolean =>
  schema.safeParse(value).success;
const ana = { name: 'Ana', contact: 'ana@example.org', role: 'primary' };

describe('a reference to an entity', () => {
  test.each([
    '0b7cf8c1-5a0e-5c43-9f0e-2f6a4f1f9d55',
    '0B7CF8C1-5A0E-5C43-9F0E-2F6A4F1F9D55',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    `${'A'.repeat(42)}E`,
    'maria.bsp',
    'Maria.Silva.BSP',
  ])('%s', (text) => {
    expect(accepts(entityReference, text)).toBe(true);
  });

  test.each([
    '',
    'maria',
    '.bsp',
    'maria.',
    'ma ria.bsp',
    'joão.bsp',
    'maria.bsp\n',
    '../maria.bsp',
    `${'a'.repeat(61)}.bsp`,
    'A'.repeat(42),
    `${'A'.repeat(42)}F`,
    '0b7cf8c1-5a0e-5c43-9f0e-2f6a4f1f9d5',
    null,
    7,
    {},
  ])('not %j', (value) => {
    expect(accepts(entityReference, value)).toBe(false);
  });
});

describe('a recovery configuration', () => {
  test.each<[string, unknown]>([
    ['none', null],
    ['no guardian', { guardians: [] }],
    ['one guardian', { guardians: [ana] }],
    ['three guardians', { guardians: ['primary', 'secondary', 'tertiary'].map((role) => ({ ...ana, role })) }],
    ['threshold 2', { guardians: [], threshold: 2 }],
    ['threshold null', { guardians: [], threshold: null }],
    ['disabled', { guardians: [], enabled: false }],
    ['optional members null', { guardians: [{ ...ana, public_key: null }], enabled: null }],
    ['an empty key', { guardians: [{ ...ana, public_key: '' }] }],
    [
      'members of a response',
      { guardians: [{ ...ana, accepted: true, added_at: 'now', deep: { er: [1] } }], extra: 1 },
    ],
    ['the longest name and contact', { guardians: [{ ...ana, name: 'n'.repeat(80), contact: 'c'.repeat(200) }] }],
  ])('may be: %s', (_, value) => {
    expect(accepts(recovery, value)).toBe(true);
  });

  test.each<[string, unknown]>([
    ['absent', undefined],
    ['a list', []],
    ['a text', '{}'],
    ['without guardians', {}],
    ['guardians that are no list', { guardians: { primary: ana } }],
    ['four guardians', { guardians: [ana, ana, ana, ana] }],
    ['a role twice', { guardians: [ana, ana] }],
    ['no role', { guardians: [{ ...ana, role: undefined }] }],
    ['a role in upper case', { guardians: [{ ...ana, role: 'PRIMARY' }] }],
    ['no name', { guardians: [{ ...ana, name: undefined }] }],
    ['a blank name', { guardians: [{ ...ana, name: ' \u00a0\t' }] }],
    ['a name that is too long', { guardians: [{ ...ana, name: 'n'.repeat(81) }] }],
    ['an empty contact', { guardians: [{ ...ana, contact: '' }] }],
    ['a contact that is too long', { guardians: [{ ...ana, contact: 'c'.repeat(201) }] }],
    ['a key that is no text', { guardians: [{ ...ana, public_key: 7 }] }],
    ['a guardian that is no object', { guardians: ['Ana'] }],
    ['another threshold', { guardians: [], threshold: 1 }],
    ['a threshold as a word', { guardians: [], threshold: 'two' }],
    ['enabled as a word', { guardians: [], enabled: 'yes' }],
  ])('may not be: %s', (_, value) => {
    expect(accepts(recovery, value)).toBe(false);
  });
});

test('a reason is a string of at most 500 characters, or missing', () => {
  for (const value of [undefined, null, '', 'r'.repeat(500)]) expect(accepts(reason, value)).toBe(true);
  for (const value of ['r'.repeat(501), 7, {}]) expect(accepts(reason, value)).toBe(false);
});

describe('a text', () => {
  test.each<[string, boolean]>([
    ['', false],
    [' \t\u00a0', false],
    ['a', false],
    [' a ', false],
    ['ab', true],
    ['a b', true],
    ['x'.repeat(10), true],
    ['x'.repeat(11), false],
    [`${'x'.repeat(10)} `, false],
  ])('of two to ten characters: %j: %s', (value, expected) => {
    expect(accepts(text('a word', { min: 2, max: 10 }), value)).toBe(expected);
  });

  test('is a string that is not blank and has the minimum length', () => {
    for (const value of [null, undefined, 7, ['ab'], {}])
      expect(accepts(text('a word', { max: 10 }), value)).toBe(false);
    expect([accepts(text('a word', { max: 10 }), 'a'), accepts(text('a word', { max: 10 }), ' ')]).toEqual([
      true,
      false,
    ]);
  });
});

describe('the name and the contact of a guardian', () => {
  test.each([
    ['a line feed', 'Ana\nSouza'],
    ['a carriage return', 'Ana\rSouza'],
    ['a line separator', 'Ana\u2028Souza'],
    ['a tabulator', 'Ana\tSouza'],
    ['an escape', 'Ana\u001b[31m'],
    ['an override of the direction', 'Ana \u202egro.elpmaxe\u202c'],
    ['an isolate', 'Ana \u2066Souza\u2069'],
    ['a zero-width space', 'Ana\u200b'],
  ])('may not contain %s', (_, value) => {
    expect([accepts(guardianName, value), accepts(guardianContact, value)]).toEqual([false, false]);
  });

  test.each([
    'Ana Souza',
    'João d’Ávila',
    'عائشة',
    'می\u200cخواهم',
    '+55 11 91234-5678',
    'ana@example.org',
    '安娜 👩‍⚕️',
  ])('may be %s', (value) =>
    expect([accepts(guardianName, value), accepts(guardianContact, value)]).toEqual([true, true]),
  );
});

test('a reference to a token or a proposal is an id or a transaction id, not a domain', () => {
  const uuid = '0b7cf8c1-5a0e-5c43-9f0e-2f6a4f1f9d55';
  const transaction = `${'A'.repeat(42)}E`;
  for (const [schema, accepted, refused] of [
    [tokenReference, `tok_${uuid}`, uuid],
    [proposalReference, uuid, `tok_${uuid}`],
  ] as const) {
    for (const value of [accepted, accepted.replace(uuid, uuid.toUpperCase()), transaction])
      expect(accepts(schema, value)).toBe(true);
    for (const value of [refused, 'maria.bsp', '', ` ${accepted}`, null, 7]) expect(accepts(schema, value)).toBe(false);
  }
});

test('a point in time has a zone, oneOf accepts the listed values, a contact is a valid URL', () => {
  for (const value of ['2027-01-01T00:00:00Z', '2027-01-01T00:00+01:00']) expect(accepts(instant, value)).toBe(true);
  for (const value of ['2027-01-01', '2027-01-01T00:00', '2027-02-30T00:00Z', 0, null])
    expect(accepts(instant, value)).toBe(false);
  expect(['A', 'a', 'C', 'toString', '', null].map((value) => accepts(oneOf(['A', 'B']), value))).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect(
    ['https://lab.example/', 'http://lab.example/', 'lab.example', '', null].map((value) => accepts(contactUrl, value)),
  ).toEqual([true, false, false, false, false]);
});

test('a point in time is in the years 1000 to 9999, also in UTC', () => {
  const [first, last] = ['1000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'];
  for (const value of [first, last]) expect(accepts(instant, value)).toBe(true);
  for (const value of ['1000-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00', '0999-12-31T23:59:59Z'])
    expect(accepts(instant, value)).toBe(false);
});
