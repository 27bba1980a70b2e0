import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BrokenExport, type ExportHead, exportDecoder } from './export-decoder.ts';

const HEAD = { request_id: 'a "data":" of their own', format: 'CSV', record_count: 3 };

const answerOf = (data: string) => JSON.stringify({ ...HEAD, data });

/** The text, split at these offsets. */
const cutAt = (text: string, places: readonly number[]): string[] => {
  const cuts = [0, ...places.map((place) => place % text.length).sort((one, other) => one - other), text.length];
  return cuts.slice(1).map((end, index) => text.slice(cuts[index], end));
};

function decode(pieces: readonly string[]) {
  const heads: ExportHead[] = [];
  const decoder = exportDecoder((head) => heads.push(head));
  const out = pieces.map((piece) => decoder.add(piece));
  decoder.end();
  return { heads, out, data: out.join('') };
}

describe('an export as it arrives', () => {
  test('is told what it holds before it holds anything', () => {
    const { heads, data } = decode([answerOf('a,b\r\n1,"2"\r\n')]);
    expect(heads).toEqual([{ format: 'CSV', record_count: 3 }]);
    expect(data).toBe('a,b\r\n1,"2"\r\n');
  });

  test('is whole however it was cut: between, in and after escapes', () => {
    const text = answerOf('\u0000"\\/\b\f\n\r\tµ😀\u2028 \ud83d\ude00 é');
    for (let cut = 1; cut < text.length; cut++) expect(decode(cutAt(text, [cut])).data).toBe(JSON.parse(text).data);
    expect(decode([...text]).data).toBe(JSON.parse(text).data);
  });

  test('never hands out half of a character, escaped or not', () => {
    for (const text of [answerOf('1😀2'), answerOf('1@2').replace('@', '\\uD83D\\uDE00')]) {
      const { out, data } = decode(text.split(''));
      expect(data).toBe('1😀2');
      expect(out.every((piece) => piece.isWellFormed())).toBe(true);
    }
  });

  test('is what JSON.parse makes of it, whatever the text and the cuts', () => {
    const anything = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(anything, fc.array(fc.nat()), (data, places) => {
        expect(decode(cutAt(answerOf(data), places)).data).toBe(data);
      }),
    );
  });

  test('of a million characters does not take long to take apart in small pieces', () => {
    const data = 'a line of text, "quoted"\r\n'.repeat(40_000);
    const text = answerOf(data);
    const pieces = Array.from({ length: Math.ceil(text.length / 1_000) }, (_, index) =>
      text.slice(index * 1_000, (index + 1) * 1_000),
    );
    expect(decode(pieces).data).toBe(data);
  });
});

describe('what is not a whole export is refused', () => {
  test.each([
    ['the connection broke in the head', '{"format":"CSV","rec'],
    ['the connection broke in the document', '{"format":"CSV","record_count":3,"data":"a,b'],
    ['the connection broke in an escape', '{"format":"CSV","record_count":3,"data":"a\\u00'],
    ['the connection broke before the last brace', '{"format":"CSV","record_count":3,"data":"a"'],
    ['it says more than an export', '{"format":"CSV","record_count":3,"data":"a","data":"b"}'],
    ['an escape is none', '{"format":"CSV","record_count":3,"data":"\\x"}'],
    ['an escaped character is none', '{"format":"CSV","record_count":3,"data":"\\u12g4"}'],
    ['a line breaks in the string', '{"format":"CSV","record_count":3,"data":"a\nb"}'],
    ['the head does not say how many', '{"format":"CSV","data":"a"}'],
    ['it is something else', `<html>${' '.repeat(5_000)}</html>`],
    ['it is empty', ''],
  ])('%s', (_, text) => {
    expect(() => decode([text])).toThrow(BrokenExport);
    expect(() => decode(text.split(''))).toThrow(BrokenExport);
  });
});
