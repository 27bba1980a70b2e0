import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sealedDigest } from './sealing.ts';

const letter = fc.nat(0x10ffff).map((point) => String.fromCodePoint(point).toWellFormed());

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

test('a seal is the SHA-256 of salt, signature and message', () => {
  fc.assert(
    fc.property(bytes(32), bytes(64), fc.string({ unit: letter }), (salt, signature, message) => {
      const whole = Buffer.concat([salt, signature, Buffer.from(message, 'utf8')]);
      expect(sealedDigest(salt, signature, message)).toBe(createHash('sha256').update(whole).digest('hex'));
    }),
  );
});

test('a seal changes with the salt, the signature and the message', () => {
  const [salt, signature] = [new Uint8Array(32), new Uint8Array(64)];
  const seals = [
    sealedDigest(salt, signature, '{"name":"Ana"}'),
    sealedDigest(salt.with(31, 1), signature, '{"name":"Ana"}'),
    sealedDigest(salt, signature.with(0, 1), '{"name":"Ana"}'),
    sealedDigest(salt, signature, '{"name":"Ane"}'),
  ];
  expect(new Set(seals).size).toBe(4);
});
