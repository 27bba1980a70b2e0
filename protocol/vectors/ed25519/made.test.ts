import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { bytesToHex, hexToBytes, toBase64, utf8ToBytes } from '../../encoding.ts';
import {
  challenge,
  decode,
  encode,
  forge,
  L,
  multipleOfBase,
  orderOf,
  P,
  SMALL_ORDER,
  searchMessage,
  TORSION,
  UNREDUCED,
} from './forge.ts';

/**
 * The vectors in valid/ (but the RFC's) and invalid/ are made here and committed: `npx vitest run protocol/vectors -u`.
 * server/crypto/ed25519.test.ts runs them.
 */
interface Vector {
  readonly about: string;
  readonly publicKey: string;
  readonly message: string;
  readonly signature: string;
}

interface Refused extends Vector {
  /** What must refuse it: the check of the key, of the base64, or the verification itself. */
  readonly refusedFor: 'key' | 'encoding' | 'verification';
  /** That a cofactored verifier (ZIP 215) would take it, given the bytes. */
  readonly zip215?: true;
}

const hexOf = (text: string): string => bytesToHex(utf8ToBytes(text));
const scalar = (label: string): bigint => challenge({ R: '', key: '', message: hexOf(label) });
const base64 = (hex: string): string => toBase64(hexToBytes(hex));

const a = scalar('the key of a holder');
const r = scalar('a nonce');
const key = multipleOfBase(a).toHex();
const R = multipleOfBase(r).toHex();
const message = hexOf('lock my identity');
const honest = { key, R, message, a, r };
const signed = forge(honest);
const S = decode(signed.slice(64));
const good = { publicKey: key, message, signature: base64(signed) };

const valid: Record<string, Vector> = {
  honest: { about: 'An ordinary signature, to compare the refused ones with.', ...good },
  'key-in-upper-case': { about: 'Hex is taken in either case.', ...good, publicKey: key.toUpperCase() },
  ...Object.fromEntries(
    [0, 1].map((sign) => {
      const scalars = Array.from({ length: 20 }, (_, index) => scalar(`key ${index}`));
      const chosen = scalars.find((candidate) => multipleOfBase(candidate).x % 2n === BigInt(sign)) ?? 0n;
      const publicKey = multipleOfBase(chosen).toHex();
      const forgery = { key: publicKey, R, message, a: chosen, r };
      const name = sign ? 'key-with-sign-bit' : 'key-without-sign-bit';
      return [name, { about: `The sign bit of A is ${sign}.`, publicKey, message, signature: base64(forge(forgery)) }];
    }),
  ),
  's-with-leading-zero-bytes': (() => {
    const found = searchMessage((text) => forge({ ...honest, message: text }).endsWith('0000'));
    const signature = base64(forge({ ...honest, message: found }));
    return { about: 'S is small enough for its last two bytes to be 0.', publicKey: key, message: found, signature };
  })(),
};

const smallOrderKeys = SMALL_ORDER.map(({ hex, order, name, canonical }): [string, Refused] => {
  const found = searchMessage((text) => challenge({ R, key: hex, message: text }) % BigInt(order) === 0n);
  return [
    `key-${name}`,
    {
      about: `A has order ${order}${canonical ? '' : ' and is not canonical'}; no secret was needed to sign this.`,
      publicKey: hex,
      message: found,
      signature: base64(forge({ key: hex, R, message: found, a: 0n, r })),
      refusedFor: 'key',
      zip215: true,
    },
  ];
});

const mixedOrderKeys = TORSION.slice(1).map((torsion, at): [string, Refused] => {
  const publicKey = multipleOfBase(a).add(torsion).toHex();
  const fits = (text: string) => challenge({ R, key: publicKey, message: text }) % 8n === 0n;
  const found = searchMessage(fits);
  return [
    `key-mixed-order-${at + 1}`,
    {
      about: `A is a good key plus a point of order ${orderOf(at + 1)}; 8 divides k, so the equation holds without cofactor.`,
      publicKey,
      message: found,
      signature: base64(forge({ ...honest, key: publicKey, message: found })),
      refusedFor: 'key',
      zip215: true,
    },
  ];
});

const torsionInR = TORSION.slice(1).map((torsion, at): [string, Refused] => [
  `r-plus-order-${orderOf(at + 1)}-${at + 1}`,
  {
    about: `R is r·B plus a point of order ${orderOf(at + 1)}: with the cofactor the equation holds, without it it does not.`,
    publicKey: key,
    message,
    signature: base64(forge({ ...honest, R: multipleOfBase(r).add(torsion).toHex() })),
    refusedFor: 'verification',
    zip215: true,
  },
]);

const smallOrderR = SMALL_ORDER.map(({ hex, order, name }): [string, Refused] => [
  `r-${name}`,
  {
    about: `R alone is an encoding of a point of order ${order}, S = k·a; only the holder of the key can make it.`,
    publicKey: key,
    message,
    signature: base64(forge({ ...honest, R: hex, r: 0n })),
    refusedFor: 'verification',
    zip215: true,
  },
]);

const refusedBy = (refusedFor: Refused['refusedFor']) => (about: string, changes: Partial<Vector>) => ({
  about,
  ...good,
  ...changes,
  refusedFor,
});
const badKey = refusedBy('key');
const badText = refusedBy('encoding');
const bad = refusedBy('verification');
const withS = (value: bigint) => ({ signature: base64(R + encode(value)) });
const flipped = (hex: string, at: number, bit: number): string =>
  bytesToHex(hexToBytes(hex).map((byte, index) => (index === at ? byte ^ bit : byte)));
const wide = [...key].map((digit) => String.fromCharCode(0x0100 + digit.charCodeAt(0))).join('');

const invalid: Record<string, Refused> = {
  ...Object.fromEntries([...smallOrderKeys, ...mixedOrderKeys, ...torsionInR, ...smallOrderR]),
  'key-y-is-3-plus-p': badKey('y = 3 written as 3 + p.', { publicKey: UNREDUCED[4] ?? '' }),
  'key-y-is-18-plus-p-sign-bit': badKey('The largest y that fits, 18 + p: all ones.', {
    publicKey: UNREDUCED.at(-1) ?? '',
  }),
  'key-not-on-the-curve': badKey('y = 2 belongs to the twist.', { publicKey: encode(2n) }),
  'key-empty': badKey('No key.', { publicKey: '' }),
  'key-63-characters': badKey('One digit is missing.', { publicKey: key.slice(0, 63) }),
  'key-65-characters': badKey('One digit too many.', { publicKey: `${key}0` }),
  'key-followed-by-letters': badKey('Letters that are no hex digits follow a good key.', { publicKey: `${key}zz` }),
  'key-with-newline': badKey('A line feed follows a good key.', { publicKey: `${key}\n` }),
  'key-in-wide-characters': badKey('Each character has the code of a digit plus 256.', { publicKey: wide }),

  's-plus-l': bad('S + L: the same number modulo L.', withS(S + L)),
  's-plus-8-l': bad('S + 8·L.', withS(S + 8n * L)),
  's-plus-15-l': bad('S + 15·L, the last that fits.', withS(S + 15n * L)),
  's-is-l': bad('S = L.', withS(L)),
  's-is-zero': bad('S = 0.', withS(0n)),
  's-is-l-minus-s': bad('−S.', withS(L - S)),
  's-all-ones': bad('S = 2^256 − 1.', withS(2n ** 256n - 1n)),
  's-high-bit-flipped': bad('The topmost bit of S, which old verifiers ignored.', withS(S + 2n ** 255n)),
  's-low-bit-flipped': bad('The lowest bit of S.', withS(S ^ 1n)),
  'r-bit-flipped': bad('The lowest bit of R.', { signature: base64(flipped(signed, 0, 1)) }),
  'r-sign-bit-flipped': bad('−R.', { signature: base64(flipped(signed, 31, 0x80)) }),
  'r-is-p': bad('R = p, which is 0 and not canonical.', { signature: base64(encode(P) + signed.slice(64)) }),
  'r-not-on-the-curve': bad('R is no point.', { signature: base64(encode(2n) + signed.slice(64)) }),
  'all-zero': bad('64 bytes of nothing.', { signature: base64('00'.repeat(64)) }),
  'all-ones': bad('64 bytes of ff.', { signature: base64('ff'.repeat(64)) }),
  'r-and-s-swapped': bad('S ‖ R.', { signature: base64(signed.slice(64) + signed.slice(0, 64)) }),
  'message-bit-flipped': bad('Another message.', { message: flipped(message, 3, 4) }),
  'message-empty': bad('The message was left away.', { message: '' }),
  'message-with-a-byte-more': bad('A zero byte was appended.', { message: `${message}00` }),
  'key-sign-bit-flipped': bad('−A: as good a key, but not this one.', { publicKey: flipped(key, 31, 0x80) }),
  'another-key': bad('Somebody else’s key.', { publicKey: multipleOfBase(scalar('another holder')).toHex() }),
  'rfc8032-ed25519ph': bad('RFC 8032 §7.3: Ed25519ph is another scheme.', {
    publicKey: 'ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf',
    message: '616263',
    signature: base64(
      '98a70222f0b8121aa9d30f813d683f809e462b469c7ff87639499bb94e6dae4131f85042463c2a355a2003d062adf5aaa10b8c61e636062aaad11c2a26083406',
    ),
  }),
  'rfc8032-ed25519ctx': bad('RFC 8032 §7.2: Ed25519ctx is another scheme.', {
    publicKey: 'dfc9425e4f968f7f0c29f0259cf5f9aed6851c2bb4ad8bfb860cfee0ab248292',
    message: 'f726936d19c800494e3fdaff20b276a8',
    signature: base64(
      '55a4cc2f70a54e04288c5f4cd1e45a7bb520b36292911876cada7323198dd87a8b36950b95130022907a7fb7c4e9b2d5f6cca685a587b4b21f4b888e4e7edb0d',
    ),
  }),

  'signature-empty': badText('No signature.', { signature: '' }),
  'signature-32-bytes': badText('R alone.', { signature: base64(signed.slice(0, 64)) }),
  'signature-63-bytes': badText('The last byte is missing.', { signature: base64(signed.slice(0, 126)) }),
  'signature-65-bytes': badText('A zero byte more.', { signature: base64(`${signed}00`) }),
  'signature-66-bytes': badText('88 characters that are 66 bytes.', { signature: base64(`${signed}0000`) }),
  'signature-twice': badText('128 bytes.', { signature: base64(signed + signed) }),
  'signature-in-hex': badText('Hex.', { signature: signed }),
  'signature-86-characters-no-padding': badText('Padding left away.', { signature: good.signature.slice(0, 86) }),
  'signature-87-characters': badText('Half of the padding left away.', { signature: good.signature.slice(0, 87) }),
  'signature-89-characters': badText('Padding of three.', { signature: `${good.signature}=` }),
  'signature-url-alphabet': badText('base64url.', {
    signature: good.signature.replaceAll('+', '-').replaceAll('/', '_'),
  }),
  'signature-stray-bits': badText('Bits that no byte has room for are set.', {
    signature: `${good.signature.slice(0, 85)}${strayBits(good.signature.charAt(85))}==`,
  }),
  'signature-newline-after': badText('A line feed follows.', { signature: `${good.signature}\n` }),
  'signature-space-before': badText('A space, and one = less: 88 characters.', {
    signature: ` ${good.signature.slice(0, 87)}`,
  }),
  'signature-wrapped': badText('Wrapped as MIME does.', {
    signature: `${good.signature.slice(0, 76)}\r\n${good.signature.slice(76)}`,
  }),
  'signature-padding-inside': badText('An = in the middle.', {
    signature: `${good.signature.slice(0, 40)}=${good.signature.slice(41)}`,
  }),
  'signature-escaped': badText('+ and / as they look in an address.', {
    signature: encodeURIComponent(good.signature),
  }),
};

function strayBits(last: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return alphabet.charAt(alphabet.indexOf(last) | 1);
}

const ascii = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

describe.each([
  ['valid', valid],
  ['invalid', invalid],
])('%s', (folder, vectors) => {
  test.each(Object.entries(vectors))('%s', async (name, vector) => {
    const text = `${ascii(JSON.stringify(vector, null, 2))}\n`;
    await expect(text).toMatchFileSnapshot(`./${folder}/${name}.json`);
  });

  test('nothing else lies in the folder but what the RFC gives', async () => {
    const files = await readdir(new URL(`./${folder}/`, import.meta.url));
    const own = files.filter((file) => folder === 'invalid' || !file.startsWith('rfc8032-'));
    expect(own.sort()).toEqual(
      Object.keys(vectors)
        .map((name) => `${name}.json`)
        .sort(),
    );
  });
});

test('the honest signature holds a + and a /, so that the url alphabet makes a difference', () => {
  expect(good.signature).toMatch(/[+/]/);
});
