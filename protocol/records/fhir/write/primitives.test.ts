import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fhirInstant, fhirText, xhtml } from './primitives.ts';

describe('a text of FHIR', () => {
  test('is unchanged if FHIR allows it', () => {
    for (const text of ['x', ' padded ', 'two\r\nlines\tand a tab', 'µg/L', '👩🏽‍⚕️', '<b>&amp;</b>'])
      expect(fhirText(text)).toBe(text);
  });

  test('has plain spaces and line breaks and no control characters', () => {
    expect(fhirText('a\u00a0b\u3000c\ufeffd')).toBe('a b c d');
    expect(fhirText('a\u2028b\vc')).toBe('a\nb\nc');
    expect(fhirText('a\u0001b\u007fc\uffffd\ud800e')).toBe('a\ufffdb\ufffdc\ufffdd\ufffde');
  });

  test('is undefined if it has only white space', () => {
    for (const text of ['', ' ', '\n\t', '\u3000', '\ufeff']) expect(fhirText(text)).toBeUndefined();
  });

  test('always matches the regular expression of R4', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fhirText(text) ?? 'x').toMatch(/^[ \r\n\t\S]+$/);
      }),
    );
  });
});

test('text in a narrative is escaped', () => {
  expect(xhtml(`<a href="x">&amp;</a>`)).toBe('&lt;a href=&quot;x&quot;&gt;&amp;amp;&lt;/a&gt;');
});

describe('a point in time', () => {
  test.each([
    ['2026-10-01T07:30:00.000Z', '2026-10-01T07:30:00.000Z'],
    ['2026-10-01T07:30:00-03:00', '2026-10-01T07:30:00-03:00'],
    ['2026-10-01T07:30Z', '2026-10-01T07:30:00.000Z'],
    ['2026-10-01T07:30:00,5+0200', '2026-10-01T05:30:00.500Z'],
    ['0001-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z'],
    ['2026-10-01T07:30:00+15:00', '2026-09-30T16:30:00.000Z'],
  ])('%s is written %s', (text, written) => {
    expect(fhirInstant(text)).toBe(written);
  });

  test.each(['0000-06-01T00:00:00.000Z', 'yesterday', ''])('%j cannot be represented in FHIR', (text) => {
    expect(fhirInstant(text)).toBeUndefined();
  });
});
