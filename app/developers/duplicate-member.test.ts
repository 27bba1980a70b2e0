import fc from 'fast-check';
import { expect, test } from 'vitest';
import { duplicateMember } from './duplicate-member.ts';

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":{"b":1,"c":[],"b":2}}', 'a.b'],
  ['{"a":[{"b":1},{"b":1,"b":1}]}', 'a[].b'],
  ['[{"a":1,"a":1}]', '[].a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"a\\"b":1,"a\\"b":2}', 'a"b'],
  ['{"":1,"":2}', ''],
  ['{"a":"{","b":{"a":"}"},"b":1}', 'b'],
  ['{"a":{"a":{"a":1}},"b":["a","a",{"a":"a"}]}', null],
  ['["a","a"]', null],
  ['"a"', null],
])('%s', (json, path) => {
  expect(duplicateMember(json)).toBe(path);
});

test('finds none in what JSON.stringify writes, and the one that is added', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
      const json = JSON.stringify(value, null, 2);
      expect(duplicateMember(json)).toBeNull();
      const [name = ''] = Object.keys(JSON.parse(json) as object);
      expect(duplicateMember(`${json.slice(0, -1)},${JSON.stringify(name)}:0}`)).toBe(name);
    }),
  );
});
