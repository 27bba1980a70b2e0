import type { Random } from '../chaos/random.ts';

/** Text that parsers, databases and logs have stumbled over. */
export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\ufeff',
  '\u202egnp.exe',
  '\r\nX-Injected: 1',
  '\u2028',
  '😀'.repeat(100),
  `a${'\u0301'.repeat(200)}`,
  'é'.repeat(300),
  'x'.repeat(5_000),
  '__proto__',
  'constructor',
  'hasOwnProperty',
  "' OR 1=1 --",
  '%00',
  '%',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '{{7*7}}',
  'NaN',
  'null',
  'true',
  '-1',
  '1e999',
  '9'.repeat(400),
  '0x10',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.001Z',
  '0000-00-00',
  '2026-02-30',
  '2026-11-24T00:00:00+99:99',
  '00000000-0000-0000-0000-000000000000',
  '0'.repeat(64),
  'f'.repeat(64),
  'A'.repeat(43),
  'A'.repeat(88),
  'xn--a.bsp',
  '.bsp',
  '\u{1d4b3}.bsp',
  'https://[::1]:0/',
  'https://user:password@169.254.169.254/',
  'BSP-',
  '*',
];

const ODD_NUMBERS: readonly number[] = [
  0,
  -0,
  -1,
  1.5,
  0.1 + 0.2,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53,
  2 ** 63,
  1e21,
  1e308,
  5e-324,
];

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

const ODD_OTHERS: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  { '': '' },
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
  { constructor: { prototype: {} } },
  { toString: 1, valueOf: 2, length: -1 },
  JSON.parse('{"then":"x"}'),
  nested(31),
  nested(33),
  nested(200),
  Array.from({ length: 2_000 }, (_, index) => index),
  Array.from({ length: 150 }, () => ({})),
];

export function oddValue(random: Random): unknown {
  const kind = random.whole(0, 9);
  if (kind < 5) return random.pick(ODD_TEXTS);
  return kind < 8 ? random.pick(ODD_NUMBERS) : random.pick(ODD_OTHERS);
}
