import { Point } from '@noble/ed25519';
import { bytesToHex, hexToBytes } from './encoding.ts';
import './ed25519.ts';

/** Test code: encodings of points that honest software never makes. Points and scalars are hex, little-endian, as on the wire. */

export const { n: L, p: P } = Point.CURVE();

/** 32 bytes. */
export const encode = (value: bigint): string => bytesToHex(hexToBytes(value.toString(16).padStart(64, '0')).reverse());

/** k·B. */
export const multipleOfBase = (k: bigint): Point => Point.BASE.multiply(((k % L) + L) % L, false);

const TORSION_GENERATOR = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');

/** The eight points of small order: multiples of a point of order 8. */
export const TORSION: readonly Point[] = [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n].map((times) =>
  TORSION_GENERATOR.multiply(times, false),
);

const SIGN = 2n ** 255n;

export interface Encoding {
  readonly hex: string;
  readonly canonical: boolean;
}

/** Every encoding that a lenient decoder accepts for this y: either sign bit, and y + p where that fits into 255 bits. */
export function encodingsOf(y: bigint): Encoding[] {
  const point = pointWith(y);
  if (!point) return [];
  const values = y + P < SIGN ? [y, y + P] : [y];
  return values.flatMap((value) =>
    [false, true].map((sign) => ({
      hex: encode(sign ? value + SIGN : value),
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

/** The 14 encodings that a lenient decoder accepts for a point of small order: 8 are canonical, 6 are not. */
export const SMALL_ORDER: readonly Encoding[] = TORSION.slice(0, 5).flatMap(({ y }) => encodingsOf(y));

/** The 24 encodings with y ≥ p that a lenient decoder accepts, of points of any order. */
export const UNREDUCED: readonly string[] = Array.from({ length: 19 }, (_, y) => encodingsOf(BigInt(y)).slice(2))
  .flat()
  .map(({ hex }) => hex);
