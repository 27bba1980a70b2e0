import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BrokenExport, type ExportHead, exportDecoder } from './export-decoder.ts';

const HEAD = { request_id: 'a "data":" of their own', format: 'CSV', record_count: 3 };

const responseOf = (data: string) => JSON.stringify({ ...HEAD, data });

/** The text, split at these offsets. */
const splitAt = (text: string, offsets: readonly number[]): string[] => {
  const bounds = [0, ...offsets.map((offset) => offset % text.length).sort((a, b) => a - b), text.length];
  return bounds.slice(1).map((end, index) => text.slice(bounds[index], end));
};

function decode(pieces: readonly string[]) {
  const heads: ExportHead[] = [];
  const decoder = exportDecoder((head) => heads.push(head));
  const out = pieces.map((piece) => decoder.add(piece));
  decoder.end();
  return { heads, out, data: out.join('') };
}

describe('the export decoder', () => {
  test('reports the head, then returns the document', () => {
    const { heads, data } = decode([responseOf('a,b\r\n1,"2"\r\n')]);
    expect(heads).toEqual([{ format: 'CSV', record_count: 3 }]);
    expect(data).toBe('a,b\r\n1,"2"\r\n');
  });

  test('returns the whole document wherever the text is split, also within escapes', () => {
    const text = responseOf('\u0000"\\/\b\f\n\r\tµ😀\u2028 \ud83d\ude00 é');
    for (let offset = 1; offset < text.length; offset++)
      expect(decode(splitAt(text, [offset])).data).toBe(JSON.parse(text).data);
    expect(decode([...text]).data).toBe(JSON.parse(text).data);
  });

  test('never returns half of a surrogate pair, escaped or not', () => {
    for (const text of [responseOf('1😀2'), responseOf('1@2').replace('@', '\\uD83D\\uDE00')]) {
      const { out, data } = decode(text.split(''));
      expect(data).toBe('1😀2');
      expect(out.every((piece) => piece.isWellFormed())).toBe(true);
    }
  });

  test('returns the same text as JSON.parse, for any text and any splits', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(anything, fc.array(fc.nat()), (data, offsets) => {
        expect(decode(splitAt(responseOf(data), offsets)).data).toBe(data);
      }),
    );
  });

  test('decodes a million characters in small pieces', () => {
    const data = 'a line of text, "quoted"\r\n'.repeat(40_000);
    const text = responseOf(data);
    const pieces = Array.from({ length: Math.ceil(text.length / 1_000) }, (_, index) =>
      text.slice(index * 1_000, (index + 1) * 1_000),
    );
    expect(decode(pieces).data).toBe(data);
  });
});

describe('the export decoder rejects', () => {
  test.each([
    ['an interruption in the head', '{"format":"CSV","rec'],
    ['an interruption in the document', '{"format":"CSV","record_count":3,"data":"a,b'],
    ['an interruption in an escape', '{"format":"CSV","record_count":3,"data":"a\\u00'],
    ['an interruption before the last brace', '{"format":"CSV","record_count":3,"data":"a"'],
    ['a second document', '{"format":"CSV","record_count":3,"data":"a","data":"b"}'],
    ['an invalid escape', '{"format":"CSV","record_count":3,"data":"\\x"}'],
    ['an invalid escaped character', '{"format":"CSV","record_count":3,"data":"\\u12g4"}'],
    ['a line break in the string', '{"format":"CSV","record_count":3,"data":"a\nb"}'],
    ['a head without the number of records', '{"format":"CSV","data":"a"}'],
    ['another content type', `<html>${' '.repeat(5_000)}</html>`],
    ['an empty response', ''],
  ])('%s', (_, text) => {
    expect(() => decode([text])).toThrow(BrokenExport);
    expect(() => decode(text.split(''))).toThrow(BrokenExport);
  });
});
