import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as native from './digests.node.ts';
import * as pure from './digests.ts';

test('the digests of the browser and of Node are the same', () => {
  const parts = fc.array(fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.string({ unit: 'grapheme' })), {
    maxLength: 4,
  });
  fc.assert(
    fc.property(parts, (list) => {
      expect(pure.sha1(...list)).toBe(native.sha1(...list));
      expect(pure.sha256(...list)).toBe(native.sha256(...list));
      expect(Buffer.from(pure.sha256Bytes(...list)).toString('hex')).toBe(native.sha256(...list));
      expect(Buffer.from(native.sha256Bytes(...list)).toString('hex')).toBe(native.sha256(...list));
    }),
  );
});
