import { expect, test } from 'vitest';
import { parseUrl } from './parse-url.ts';

test('parses a name with letters beyond ASCII, however often it is called', () => {
  const text = 'https://m\u00fcnchen.example/stra\u00dfe';
  for (let calls = 0; calls < 50_000; calls += 1) expect(parseUrl(text)?.hostname).toBe('xn--mnchen-3ya.example');
});

test('returns null for what is not a URL', () => {
  for (const text of ['', 'münchen', 'https://', 'https://a b/', '//a.example']) expect(parseUrl(text)).toBeNull();
  expect(parseUrl('../c', 'https://a.example/b/d/e')?.href).toBe('https://a.example/b/c');
});
