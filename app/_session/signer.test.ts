import { expect, test } from 'vitest';
import { verifySignature } from '../../protocol/signing/ed25519.ts';
import { newSecret, openedKey } from '../_keys/secret.ts';
import { signerOf } from './signer.ts';

test('a signer still signs after the secret and the seed are wiped', async () => {
  const key = await openedKey(newSecret());
  const signer = await signerOf(key);
  expect(key.seed).toEqual(new Uint8Array(32));
  key.secret.bytes.fill(0);
  const message = new TextEncoder().encode('a message');
  expect(verifySignature(signer.publicKey, message, await signer.sign(message))).toBe(true);
});
