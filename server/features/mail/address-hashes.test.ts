import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAddressHashes, mailboxOf } from './address-hashes.ts';

test.each([
  ['Ana@Mail.Example', 'ana@mail.example'],
  ['ana+anything+more@mail.example', 'ana@mail.example'],
  ['a.n.a@mail.example', 'a.n.a@mail.example'],
  ['A.N.A+x@gmail.com', 'ana@gmail.com'],
  ['ana@GoogleMail.com', 'ana@gmail.com'],
  ['+ana@mail.example', '+ana@mail.example'],
])('the address %s is counted as %s', (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});

test('hashes depend on the key and the purpose', () => {
  const [hashes, otherHashes] = [createAddressHashes(randomBytes(32)), createAddressHashes(randomBytes(32))];
  expect(hashes.recipient('ana@mail.example')).toEqual(hashes.recipient('ANA+1@mail.example'));
  expect(hashes.recipient('ana@mail.example')).not.toEqual(otherHashes.recipient('ana@mail.example'));
  expect(hashes.source('203.0.113.7')).toEqual(hashes.source('203.0.113.99'));
  expect(hashes.source('203.0.113.7')).not.toEqual(hashes.source('203.0.114.7'));
});

test('an unsubscribe token identifies its recipient only with the key', () => {
  const [hashes, otherHashes] = [createAddressHashes(randomBytes(32)), createAddressHashes(randomBytes(32))];
  const recipient = hashes.recipient('ana@mail.example');
  const token = hashes.unsubscribeToken(recipient);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(hashes.recipientOf(token)).toEqual(recipient);
  expect(otherHashes.recipientOf(token)).toBe(null);
  const forged = Buffer.from(token, 'base64url');
  forged[0] = (forged[0] ?? 0) ^ 1;
  for (const wrong of [forged.toString('base64url'), '', 'x', `${token}x`, 'A'.repeat(43), `${token.slice(0, 42)}=`]) {
    expect(hashes.recipientOf(wrong)).toBe(null);
  }
});
