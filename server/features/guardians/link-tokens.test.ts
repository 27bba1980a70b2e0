import { expect, test } from 'vitest';
import { isOfEarlierEpoch, linkHash, newLinkToken } from './link-tokens.ts';

const EPOCHS = [1, 2, 3, 4, 5, 6, 7, 8];

test('a token has 256 random bits in 43 characters in every epoch', () => {
  for (const epoch of EPOCHS) {
    const tokens = Array.from({ length: 2_000 }, () => newLinkToken(epoch));
    expect(new Set(tokens).size).toBe(tokens.length);
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(linkHash(token)).toHaveLength(32);
    }
    const bytes = tokens.map((token) => Buffer.from(token, 'base64url'));
    for (let bit = 0; bit < 256; bit += 1) {
      const set = bytes.filter((token) => ((token[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1).length;
      expect(Math.abs(set - 1_000), `bit ${bit} in epoch ${epoch}`).toBeLessThan(200);
    }
  }
});

test('encodes the epoch mod 4', () => {
  for (const created of EPOCHS) {
    for (const present of EPOCHS) {
      const known = present > 1 && (present - created) % 4 !== 0;
      expect(isOfEarlierEpoch(newLinkToken(created), present)).toBe(known);
    }
  }
  for (const text of ['', 'x', 'x'.repeat(42), 'x'.repeat(44), `${'x'.repeat(42)}=`]) {
    expect(isOfEarlierEpoch(text, 2)).toBe(false);
    expect(linkHash(text)).toBeNull();
  }
});
