import { expect, test } from 'vitest';
import { isAbandoned } from './abandoned-passkey.ts';

const passkeyOf = (byte: number) => ({ credentialId: Uint8Array.of(byte) });
const userOf = (byte: number) => ({ passkey: passkeyOf(byte) });
const BY_PASSPHRASE = { passkey: null };

test('a passkey of the draft that nothing else uses is abandoned', () => {
  expect(isAbandoned(passkeyOf(1), userOf(1), [])).toBe(true);
  expect(isAbandoned(passkeyOf(1), userOf(1), [BY_PASSPHRASE, userOf(2)])).toBe(true);
});

test('a passkey is not abandoned once another tab has created the identity, or changed or dropped the draft', () => {
  expect(isAbandoned(passkeyOf(1), userOf(1), [userOf(2), userOf(1)])).toBe(false);
  expect(isAbandoned(passkeyOf(1), userOf(2), [])).toBe(false);
  expect(isAbandoned(passkeyOf(1), BY_PASSPHRASE, [])).toBe(false);
  expect(isAbandoned(passkeyOf(1), null, [])).toBe(false);
});
