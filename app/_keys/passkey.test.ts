import { expect, test } from 'vitest';
import { open, seal } from './passkey.ts';
import { newSecret, openedKey, openedSecret } from './secret.ts';

/** The response of an authenticator; new bytes for each use, because they are wiped. */
const prf = (fill: number) => new Uint8Array(32).fill(fill);

test('a passkey opens the key that it sealed, of both kinds', async () => {
  for (const key of [await openedKey(newSecret()), await openedSecret({ holds: 'seed', bytes: newSecret() })]) {
    const opened = await open(prf(7), await seal(prf(7), key), key.publicKey);
    expect(opened?.publicKey).toBe(key.publicKey);
    expect(opened?.secret).toEqual(key.secret);
  }
});

test('another passkey, another public key or changed bytes do not open', async () => {
  const key = await openedKey(newSecret());
  const other = await openedKey(newSecret());
  const sealed = await seal(prf(7), key);
  const changed = new Uint8Array(sealed.ciphertext.slice(0));
  changed[3] = (changed[3] ?? 0) ^ 1;
  expect(await open(prf(8), sealed, key.publicKey)).toBeNull();
  expect(await open(prf(7), sealed, other.publicKey)).toBeNull();
  expect(await open(prf(7), { ...sealed, ciphertext: changed.buffer }, key.publicKey)).toBeNull();
});

test('sealing wipes the output of the passkey, and gives different bytes each time', async () => {
  const key = await openedKey(newSecret());
  const output = prf(7);
  const [first, second] = [await seal(output, key), await seal(prf(7), key)];
  expect(output).toEqual(prf(0));
  expect(new Uint8Array(first.ciphertext)).not.toEqual(new Uint8Array(second.ciphertext));
});
