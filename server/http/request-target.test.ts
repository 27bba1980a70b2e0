import { describe, expect, test } from 'vitest';
import { readTarget } from './request-target.ts';

describe('a target', () => {
  test.each([
    ['/', '/', ''],
    ['/explore', '/explore', ''],
    ['/explore?', '/explore', ''],
    ['/explore?a=/../b', '/explore', 'a=/../b'],
    ['http://elsewhere.example/health?x', '/health', 'x'],
    ['https://elsewhere.example', '/', ''],
    ['//explore//', '/explore', ''],
    ['///', '/', ''],
    ['/explore/', '/explore', ''],
    ['/%61pi/led%67er', '/api/ledger', ''],
    ['/explore/%c3%a9', '/explore/%C3%A9', ''],
    ['/explore/a%20b', '/explore/a%20b', ''],
    ['/explore/100%25', '/explore/100%25', ''],
    ['/.well-known/x', '/.well-known/x', ''],
    ['/explore/...', '/explore/...', ''],
    ['/explore#/../x', '/explore', ''],
  ])('%s is %s', (target, path, query) => {
    expect(readTarget(target)).toMatchObject({ path, query, isAcceptable: true });
  });

  test.each([
    '/..',
    '/.',
    '/a/../b',
    '/a/./b',
    '/a/..',
    '/%2e%2e/a',
    '/a/%2E./b',
    '/a/.%2e',
    '/a//..//b',
    '/_next/static/../../explore',
    '/_next/static/%2e%2e/%2e%2e/explore',
    '/_next/static/%252e%252e/explore',
    '/_next/static/..%2f..%2fexplore',
    '/_next/static/..%252Fexplore',
    '/_next/static/..\\..\\explore',
    '/_next/static/..%5c..%5Cexplore',
    '/_next/static/%255c',
    '/_next/static/.\t./x',
    '/a b',
    '/a\x7f',
    '*',
    'explore',
    '/%',
    '/%zz',
    '/%c3',
  ])('%j is not acceptable', (target) => {
    expect(readTarget(target).isAcceptable).toBe(false);
  });

  test('reports extra slashes', () => {
    const withExtra = ['/explore/', '//explore', '/a//b', 'http://x.example//a'];
    const withoutExtra = ['/', '/explore', '/a/b', '/%61', 'http://x.example/a', 'http://x.example'];
    for (const target of withExtra) expect([target, readTarget(target).hadExtraSlashes]).toEqual([target, true]);
    for (const target of withoutExtra) expect([target, readTarget(target).hadExtraSlashes]).toEqual([target, false]);
  });
});
