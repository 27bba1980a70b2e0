import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GUARDIAN_ROLES } from './entities/guardian.ts';
import { derivedIds, isTransactionId, isUuid, type LedgerId, ledgerIdOf, uuidV5 } from './ids.ts';
import { toBase64, toBase64Url } from './signing/encoding.ts';
import { amount } from './test-amount.ts';

const letter = fc.nat(0x10ffff).map((point) => String.fromCodePoint(point).toWellFormed());

const NAMESPACE = '6ba7b811-9dad-11d1-80b4-00c04fd430c8';

/** RFC 9562 §5.5, with node:crypto and bit operations on a bigint. */
function uuidV5Of(name: string): string {
  const digest = createHash('sha1')
    .update(Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  let bits = BigInt(`0x${digest.toString('hex').slice(0, 32)}`);
  bits = (bits & ~(0xfn << 76n)) | (5n << 76n);
  bits = (bits & ~(3n << 62n)) | (2n << 62n);
  const hex = bits.toString(16).padStart(32, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

describe('UUIDs of version 5', () => {
  test('are in the URL namespace, as the protocol requires: value from Python’s uuid5', () => {
    expect(uuidV5('perpetua:ledger:signature')).toBe('162dbc59-d506-5b2d-9f78-895d3fb7a276');
  });

  test('equal those computed with node:crypto', () => {
    fc.assert(
      fc.property(fc.string({ unit: letter, maxLength: 200 }), (name) => {
        expect(uuidV5(name)).toBe(uuidV5Of(name));
        expect(isUuid(uuidV5(name))).toBe(true);
      }),
      { numRuns: amount(60, 300) },
    );
  });
});

describe('the ids derived from an operation', () => {
  const relayerKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';
  const ledgerId = ledgerIdOf(relayerKey);
  const signature = toBase64(new Uint8Array(64).fill(7));

  test('the ledger id is the SHA-256 of the raw key', () => {
    expect(ledgerId).toBe(createHash('sha256').update(Buffer.from(relayerKey, 'hex')).digest('hex'));
  });

  test('are derived from the ledger id and the signature as it was sent', () => {
    const name = `perpetua:${ledgerId}:${signature}`;
    const ids = derivedIds(ledgerId, signature);
    expect(ids.beoId()).toBe(uuidV5Of(name));
    for (const role of GUARDIAN_ROLES) {
      expect(ids.guardianId(role)).toBe(uuidV5Of(`${name}:guardian:${role}`));
      expect(ids.invitationId(role)).toBe(uuidV5Of(`${name}:invitation:${role}`));
    }
  });

  test('are all different, and different on another ledger', () => {
    const all = [ledgerId, ledgerIdOf('00'.repeat(32))].flatMap((ledger) => {
      const ids = derivedIds(ledger as LedgerId, signature);
      return [ids.beoId(), ...GUARDIAN_ROLES.flatMap((role) => [ids.guardianId(role), ids.invitationId(role)])];
    });
    expect(new Set(all).size).toBe(14);
  });
});

describe('the form of ids', () => {
  test('isUuid accepts any well-formed UUID, in upper and lower case', () => {
    for (const text of ['00000000-0000-0000-0000-000000000000', NAMESPACE, NAMESPACE.toUpperCase()]) {
      expect(isUuid(text)).toBe(true);
    }
    for (const text of [
      '',
      NAMESPACE.slice(1),
      `${NAMESPACE}0`,
      `{${NAMESPACE}}`,
      `${NAMESPACE}\n`,
      NAMESPACE.replace('6', 'g'),
    ]) {
      expect(isUuid(text)).toBe(false);
    }
    expect(isUuid(NAMESPACE.replaceAll('-', ''))).toBe(false);
  });

  test('isTransactionId accepts only the canonical base64url of 32 bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        const id = toBase64Url(bytes);
        expect(isTransactionId(id)).toBe(true);
        expect(isTransactionId(`${id}=`)).toBe(false);
        expect(isTransactionId(id.slice(1))).toBe(false);
        expect(isUuid(id)).toBe(false);
      }),
    );
    expect(isTransactionId(`${'A'.repeat(42)}E`)).toBe(true);
    for (const strayBits of ['B', 'C', 'D', 'F']) expect(isTransactionId(`${'A'.repeat(42)}${strayBits}`)).toBe(false);
    for (const letter of ['+', '/', ' ', '\n', '.', 'é'])
      expect(isTransactionId(`${letter}${'A'.repeat(42)}`)).toBe(false);
  });
});
