import { createHash } from 'node:crypto';
import type { Entity } from '../../protocol/entities/entities.ts';
import { canonicalJson, type Json } from '../../protocol/signing/canonical-json.ts';

/** A digest of a set that does not depend on the order: the sum of the members' SHA-512, modulo 2^512. */
export interface SetDigest {
  add(ended: Entity): void;
  readonly count: number;
  readonly digest: string;
}

const MODULUS = 1n << 512n;

/** @param from an earlier digest that is continued */
export function createSetDigest(from = { count: 0, digest: '0' }): SetDigest {
  let { count } = from;
  let sum = BigInt(`0x${from.digest}`);
  return {
    add(ended) {
      const text = canonicalJson(ended as unknown as Json);
      count += 1;
      sum = (sum + BigInt(`0x${createHash('sha512').update(text).digest('hex')}`)) % MODULUS;
    },
    get count() {
      return count;
    },
    get digest() {
      return sum.toString(16);
    },
  };
}
