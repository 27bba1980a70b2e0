import { expect, test } from 'vitest';
import { membersOf, rowOf } from './members.ts';

test('lists nested members by path, and resolves shared shapes', () => {
  const components = {
    Scope: {
      type: 'object',
      properties: { intents: { type: 'array', items: { type: 'string' } } },
      required: ['intents'],
    },
  };
  const token = { type: 'object', properties: { scope: { $ref: '#/components/schemas/Scope' } } };
  const schema = { type: 'object', properties: { tokens: { type: 'array', items: token } }, required: ['tokens'] };
  const rows = membersOf(schema, components).map(({ path, type, required }) => [path, type, required]);
  expect(rows).toEqual([
    ['tokens', 'list of objects', true],
    ['tokens[].scope', 'object', false],
    ['tokens[].scope.intents', 'list of strings', true],
  ]);
});

test('a member of several shapes is required if each requires it', () => {
  const one = {
    type: 'object',
    properties: { role: { type: 'string' }, name: { type: 'string' } },
    required: ['role', 'name'],
  };
  const other = { type: 'object', properties: { role: { type: 'string' } }, required: ['role'] };
  const rows = membersOf({ anyOf: [one, other, { type: 'null' }] }, {});
  expect(rows.map(({ path, required }) => [path, required])).toEqual([
    ['role', true],
    ['name', false],
  ]);
});

test('states the limits of a value', () => {
  const rulesOf = (schema: Record<string, unknown>) => rowOf('x', schema, {}, true).rules;
  expect(rulesOf({ type: 'string', minLength: 16, maxLength: 128 })).toEqual(['16 to 128 characters']);
  expect(rulesOf({ type: 'integer', minimum: 1, default: 50 })).toEqual(['at least 1', 'by default `50`']);
  expect(rulesOf({ anyOf: [{ type: 'string', enum: ['A', 'B'] }, { type: 'null' }] })).toEqual(['`A`, `B`']);
  expect(rulesOf({ type: 'string', pattern: '\\S' })).toEqual(['not blank']);
  expect(rowOf('x', { enum: [2, null] }, {}, true)).toMatchObject({ type: '2 or null', rules: [] });
});
