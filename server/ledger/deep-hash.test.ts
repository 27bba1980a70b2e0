import { describe, expect, test } from 'vitest';
import { type DeepHashInput, deepHash } from './deep-hash.ts';
import vectors from './vectors/deep-hash.json' with { type: 'json' };

type Nested = string | Nested[];

function fromHex(input: Nested): DeepHashInput {
  return Array.isArray(input) ? input.map(fromHex) : Buffer.from(input, 'hex');
}

describe('the deep hash', () => {
  test.each(vectors.vectors)('of $name matches other implementations', ({ input, digest }) => {
    expect(deepHash(fromHex(input)).toString('hex')).toBe(digest);
  });

  test('distinguishes a list from its bytes, and different groupings', () => {
    const a = Buffer.from('a');
    const digests = [a, [a], [[a]], [a, []], [[], a]].map((input) => deepHash(input).toString('hex'));
    expect(new Set(digests).size).toBe(digests.length);
  });

  test('of bytes longer than any cached length is deterministic', () => {
    const long = Buffer.alloc(300_000, 7);
    expect(deepHash([long])).toEqual(deepHash([new Uint8Array(long)]));
  });
});
