import { hash, Point } from '@noble/ed25519';
import { bytesToHex, hexToBytes } from '../../encoding.ts';
import '../../ed25519.ts';

/** Test code: makes the keys and signatures that honest software never makes. Points and scalars are hex, as on the wire. */

export const { n: L, p: P } = Point.CURVE();

/** 32 bytes, little-endian. */
export const encode = (value: bigint): string => bytesToHex(hexToBytes(value.toString(16).padStart(64, '0')).reverse());

export const decode = (hex: string): bigint => BigInt(`0x${bytesToHex(hexToBytes(hex).reverse())}`);

/** k·B. */
export const multipleOfBase = (k: bigint): Point => Point.BASE.multiply(((k % L) + L) % L, false);

const TORSION_GENERATOR = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');

/** The eight points of small order; the order of the i-th is 8 / gcd(8, i). */
export const TORSION: readonly Point[] = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n].map((times) =>
  TORSION_GENERATOR.multiply(times, false),
);

export const orderOf = (index: number): number => [1, 8, 4, 8, 2, 8, 4, 8][index] ?? 0;

const SIGN = 2n ** 255n;

export interface Encoding {
  readonly hex: string;
  readonly unreduced: boolean;
  readonly sign: boolean;
  readonly canonical: boolean;
}

/** All that a lenient decoder takes for a point with this y: either sign bit, and y + p where that fits into 255 bits. */
export function encodingsOf(y: bigint): Encoding[] {
  const point = pointWith(y);
  if (!point) return [];
  const written = y + P < SIGN ? [y, y + P] : [y];
  return written.flatMap((value) =>
    [false, true].map((sign) => ({
      hex: encode(sign ? value + SIGN : value),
      unreduced: value !== y,
      sign,
      canonical: value === y && !(sign && point.x === 0n),
    })),
  );
}

function pointWith(y: bigint): Point | null {
  try {
    return Point.fromHex(encode(y));
  } catch {
    return null;
  }
}

/** The 14 texts that a lenient decoder takes for a point of small order: 8 canonical encodings and 6 that are not. */
export const SMALL_ORDER = [0, 1, 2, 3, 4].flatMap((index) =>
  encodingsOf((TORSION[index] ?? Point.ZERO).y).map((encoding) => ({
    ...encoding,
    order: orderOf(index),
    name: `order-${orderOf(index)}${index === 3 ? '-other-y' : ''}${encoding.unreduced ? '-y-plus-p' : ''}${encoding.sign ? '-sign-bit' : ''}`,
  })),
);

/** The 24 texts with y ≥ p that a lenient decoder takes for a point, of whatever order. */
export const UNREDUCED = Array.from({ length: 19 }, (_, y) => encodingsOf(BigInt(y)))
  .flat()
  .filter(({ unreduced }) => unreduced)
  .map(({ hex }) => hex);

export interface Forgery {
  /** Hex; what is hashed as A, whatever it encodes. */
  readonly key: string;
  /** Hex; the first half of the signature, whatever it encodes. */
  readonly R: string;
  /** Hex. */
  readonly message: string;
  /** What is added up to S = r + k·a mod L. */
  readonly a: bigint;
  readonly r: bigint;
}

/** k = SHA-512(R ‖ A ‖ M) mod L, RFC 8032 §5.1.7. */
export const challenge = ({ R, key, message }: Pick<Forgery, 'R' | 'key' | 'message'>): bigint =>
  BigInt(`0x${bytesToHex(hash(hexToBytes(R + key + message)).reverse())}`) % L;

/** The 64 bytes R ‖ S in hex. */
export const forge = (forgery: Forgery): string => forgery.R + encode((forgery.r + challenge(forgery) * forgery.a) % L);

/** The first of "message 0", "message 1", … (in hex) for which `fits` holds. */
export function searchMessage(fits: (message: string) => boolean): string {
  for (let attempt = 0; attempt < 10_000; attempt += 1) {
    const message = bytesToHex(new TextEncoder().encode(`message ${attempt}`));
    if (fits(message)) return message;
  }
  throw new Error('No message was found.');
}
