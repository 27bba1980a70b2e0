import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ERRORS, type ErrorCode } from '../../protocol/errors.ts';
import { describedApi } from '../../server/http/openapi/described.ts';
import { byHand } from './by-hand.ts';
import { ERROR_GUIDE } from './error-guide.ts';
import { PITFALLS } from './pitfalls.ts';

const TEXTS = [
  ...Object.values(ERROR_GUIDE).flatMap(({ happened, fix }) => [happened, fix]),
  ...PITFALLS.map(({ text }) => text),
];

test('the program by hand is the one of README.md, which the tests run', () => {
  const [, code] = /```js\n([\s\S]+?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
  expect(byHand('http://localhost:3000')).toBe(code);
});

test('texts name only paths and error codes that exist', () => {
  const { operations } = describedApi();
  const addresses = operations.map(({ method, path }) => `${method} ${path}`);
  const quoted = TEXTS.flatMap((text) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
  const paths = quoted.filter((code) => /^(GET|POST|DELETE) \//.test(code));
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !addresses.includes(path))).toEqual([]);
  const codes = new Set<string>(Object.keys(ERRORS));
  const named = quoted.filter((code) => (Object.keys(ERRORS) as ErrorCode[]).some((one) => code.startsWith(one)));
  expect(named.filter((code) => !codes.has(code))).toEqual([]);
});

test('backquotes come in pairs', () => {
  expect(TEXTS.filter((text) => text.split('`').length % 2 === 0)).toEqual([]);
});
