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

test('hashes depend on the key and on their purpose', () => {
  const [one, other] = [createAddressHashes(randomBytes(32)), createAddressHashes(randomBytes(32))];
  expect(one.recipient('ana@mail.example')).toEqual(one.recipient('ANA+1@mail.example'));
  expect(one.recipient('ana@mail.example')).not.toEqual(other.recipient('ana@mail.example'));
  expect(one.source('203.0.113.7')).toEqual(one.source('203.0.113.99'));
  expect(one.source('203.0.113.7')).not.toEqual(one.source('203.0.114.7'));
});

test('an unsubscribe link belongs to one recipient, and needs the key', () => {
  const [one, other] = [createAddressHashes(randomBytes(32)), createAddressHashes(randomBytes(32))];
  const recipient = one.recipient('ana@mail.example');
  const token = one.unsubscribeToken(recipient);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(one.recipientOf(token)).toEqual(recipient);
  expect(other.recipientOf(token)).toBe(null);
  const forged = Buffer.from(token, 'base64url');
  forged[0] = (forged[0] ?? 0) ^ 1;
  for (const wrong of [forged.toString('base64url'), '', 'x', `${token}x`, 'A'.repeat(43), `${token.slice(0, 42)}=`]) {
    expect(one.recipientOf(wrong)).toBe(null);
  }
});
