import { webcrypto } from 'node:crypto';
import { expect, test } from 'vitest';
import { fromBase64, hexToBytes } from '../protocol/signing/encoding.ts';
import { generateKey } from './keys.ts';
import { signRequest } from './sign.ts';

const key = generateKey();
const now = Date.parse('2026-03-04T05:06:07.000Z');
const fields = { invitationId: 'b', beoId: 'a', nested: { z: 1, a: [true, null] } };

test('a signed request has the given fields, and a signature of the canonical message that WebCrypto verifies', async () => {
  const { body, message, signature } = await signRequest('acceptGuardian', fields, { key, ledgerId: 'l', now });
  const { nonce } = body;
  expect(body).toEqual({ ...fields, ledgerId: 'l', nonce, timestamp: '2026-03-04T05:06:07.000Z', signature });
  expect(message).toBe(
    `{"beoId":"a","function":"acceptGuardian","invitationId":"b","ledgerId":"l","nested":{"a":[true,null],"z":1},"nonce":"${nonce}","timestamp":"2026-03-04T05:06:07.000Z"}`,
  );
  const raw = Uint8Array.from(hexToBytes(key.publicKey));
  const verifier = await webcrypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
  const bytes = Uint8Array.from(fromBase64(signature) ?? []);
  expect(await webcrypto.subtle.verify('Ed25519', verifier, bytes, new TextEncoder().encode(message))).toBe(true);
});

test('each signed request has a nonce of its own, of 192 bits', async () => {
  const [first, second] = [
    await signRequest('lockBEO', {}, { key, now }),
    await signRequest('lockBEO', {}, { key, now }),
  ];
  expect(first.body.nonce).toMatch(/^[\w-]{32}$/);
  expect(first.body.nonce).not.toBe(second.body.nonce);
});
