import type { Random } from '../chaos/random.ts';

const NUMBERS = ['1e999', '-1e999', '-0', '1E+2', '123456789012345678901234567890', '0.1e-400', '01', '.5', '1.', '+1'];
const ESCAPES = ['"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\\x41"', '"\\u12"', '"\t"', "'x'", 'undefined', 'NaN'];
const BAD_BYTES = [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82], [0x00], [0x1b]];
const LARGE = [70_000, 262_145, 1_048_577];

/** The text of a JSON body, changed so that it is no longer what a serializer writes, and often not JSON. */
export function mutatedText(json: unknown, random: Random): Buffer {
  const text = JSON.stringify(json) ?? '';
  switch (random.whole(0, 13)) {
    case 0:
      return Buffer.from(withDuplicateKey(text, random));
    case 1:
      return Buffer.from(text.replace(/(?<=:)-?\d[\d.e+-]*/i, random.pick(NUMBERS)));
    case 2:
      return Buffer.from(text.replace(/(?<=:)("([^"\\]|\\.)*"|-?\d+)/, random.pick([...ESCAPES, ...NUMBERS])));
    case 3:
      return Buffer.from(nested(text, random));
    case 4:
      return Buffer.from(text).subarray(0, random.whole(0, text.length));
    case 5:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]);
    case 6:
      return Buffer.from(text, 'utf16le');
    case 7:
      return Buffer.from(text, 'latin1');
    case 8:
      return Buffer.from(text + random.pick(['}', ',', ' {}', '//', '\0', '\n\n\n']));
    case 9:
      return withBytes(Buffer.from(text), random);
    case 10:
      return Buffer.from(text.replaceAll(',', `,${' '.repeat(random.pick([1, 50, 2_000]))}`).slice(0, 2_000_000));
    case 11:
      // Rarely large, or the run would only move bytes.
      return random.chance(0.05) ? Buffer.alloc(random.pick(LARGE), '[') : Buffer.from(`[${text}]`);
    case 12:
      return Buffer.from(text.replaceAll('"', random.pick(["'", '', '\\"'])));
    default:
      return Buffer.from(random.pick(['', 'null', '[]', '""', '0', 'true', '{', '"', '{}', '[{}]', 'a=b&c=d', '<a/>']));
  }
}

/** One of its keys again, with another or the same value; JSON.parse takes the last. */
function withDuplicateKey(text: string, random: Random): string {
  const members = [...text.matchAll(/"([^"\\]+)":("([^"\\]|\\.)*"|-?[\d.]+|null|true|false)/g)].map(
    ([member]) => member,
  );
  if (members.length === 0) return text;
  const again = random.pick(members);
  const member = random.chance(0.5)
    ? again
    : `${again.slice(0, again.indexOf(':'))}:${random.pick(['null', '7', '""'])}`;
  return random.chance(0.5) ? text.replace('{', `{${member},`) : `${text.slice(0, -1)},${member}}`;
}

function nested(text: string, random: Random): string {
  const levels = random.pick([5, 31, 32, 33, 500, 20_000]);
  return random.chance(0.5)
    ? '['.repeat(levels) + text + ']'.repeat(levels)
    : text.replace(/(?<=:)("([^"\\]|\\.)*"|-?\d+)/, `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
}

function withBytes(bytes: Buffer, random: Random): Buffer {
  const at = random.whole(0, bytes.length);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(random.pick(BAD_BYTES)), bytes.subarray(at)]);
}
