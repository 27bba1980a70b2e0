import { createPrivateKey, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Ans104Error, type Tag } from '../../protocol/ledger/item-tags.ts';
import { newSigningKey } from '../platform/crypto/signed-request.ts';
import { bundleSize, createItemSigner, encodeBundle, parseBundle, parseItem, verifyItem } from './ans104.ts';
import arweaveItems from './vectors/arweave-items.json' with { type: 'json' };
import bundles from './vectors/bundles.json' with { type: 'json' };
import items from './vectors/items.json' with { type: 'json' };

const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

function keyFromSeed(seed: string): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, Buffer.from(seed, 'hex')]),
    format: 'der',
    type: 'pkcs8',
  });
}

function freshSigner() {
  const { privateKey, publicKey } = newSigningKey();
  return createItemSigner(privateKey, Buffer.from(publicKey, 'hex'));
}

const signer = freshSigner();
const anchor = Buffer.alloc(32, 5);
const tags: Tag[] = [{ name: 'App-Name', value: 'Perpetua' }];

describe('items match the vectors of another implementation', () => {
  test.each(items.vectors)('signs $name byte for byte', (vector) => {
    const vectorSigner = createItemSigner(keyFromSeed(vector.seed), Buffer.from(vector.publicKey, 'hex'));
    const { id, bytes } = vectorSigner.sign({
      anchor: Buffer.from(vector.anchor, 'hex'),
      tags: vector.tags,
      data: Buffer.from(vector.data, 'base64'),
    });
    expect(id).toBe(vector.id);
    expect(bytes.toString('base64')).toBe(vector.bytes);
  });

  test.each(items.vectors)('parses $name and verifies its signature', (vector) => {
    const item = parseItem(Buffer.from(vector.bytes, 'base64'));
    expect(item).toMatchObject({ id: vector.id, signatureType: 2, tags: vector.tags });
    expect(Buffer.from(item.owner).toString('hex')).toBe(vector.publicKey);
    expect(Buffer.from(item.anchor).toString('hex')).toBe(vector.anchor);
    expect(Buffer.from(item.data).toString('base64')).toBe(vector.data);
    expect(item.target.byteLength).toBe(0);
    expect(verifyItem(item)).toBe(true);
  });

  test.each(arweaveItems.vectors)('parses $name, verifies it, and rejects it after a change', (vector) => {
    const bytes = Buffer.from(vector.bytes, 'base64');
    const item = parseItem(bytes);
    expect(item).toMatchObject({ id: vector.id, signatureType: 1, tags: vector.tags });
    expect(Buffer.from(item.owner).toString('base64url')).toBe(vector.owner);
    expect(Buffer.from(item.target).toString('base64url')).toBe(vector.target);
    expect(verifyItem(item)).toBe(true);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    expect(verifyItem(bytes)).toBe(false);
  });

  test.each(bundles.vectors)('packs and unpacks a bundle of $name', (vector) => {
    const packed = vector.items.map((index) => {
      const { id, bytes } = items.vectors[index] ?? expect.fail('the vector names a missing item');
      return { id, bytes: Buffer.from(bytes, 'base64') };
    });
    const bundle = encodeBundle(packed);
    expect(bundle.toString('base64')).toBe(vector.bytes);
    expect(bundle.byteLength).toBe(bundleSize(packed.map(({ bytes }) => bytes.byteLength)));
    expect(parseBundle(bundle).map(({ id, bytes }) => ({ id, bytes: Buffer.from(bytes) }))).toEqual(packed);
  });
});

describe('a signed item', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  const anyTags = fc.array(fc.record({ name: text, value: text }), { maxLength: 12 });
  const anyAnchor = fc.constantFrom(new Uint8Array(0), anchor);
  const anyData = fc.uint8Array({ maxLength: 2_000 });

  test('round-trips, is deterministic and verifies', () => {
    fc.assert(
      fc.property(anyTags, anyAnchor, anyData, (someTags, someAnchor, data) => {
        const signed = signer.sign({ anchor: someAnchor, tags: someTags, data });
        expect(signer.sign({ anchor: someAnchor, tags: someTags, data }).bytes.equals(signed.bytes)).toBe(true);
        const item = parseItem(signed.bytes);
        expect(item.id).toBe(signed.id);
        expect(item.tags).toEqual(someTags);
        expect(Buffer.compare(item.anchor, someAnchor)).toBe(0);
        expect(Buffer.compare(item.data, data)).toBe(0);
        expect(verifyItem(signed.bytes)).toBe(true);
      }),
    );
  });

  test('is invalid if any byte is changed', () => {
    const { bytes } = signer.sign({ anchor, tags, data: Buffer.from('{"v":1}') });
    for (let at = 0; at < bytes.length; at++) {
      for (const mask of [0x01, 0x80, 0xff]) {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ mask;
        expect(verifies(changed), `byte ${at} ^ ${mask}`).toBe(false);
      }
    }
  });

  test('is invalid if truncated or extended', () => {
    const { bytes } = signer.sign({ anchor, tags, data: Buffer.from('{"v":1}') });
    for (let length = 0; length < bytes.length; length++) expect(verifies(bytes.subarray(0, length))).toBe(false);
    expect(verifies(Buffer.concat([bytes, Buffer.from([0])]))).toBe(false);
  });

  test('must respect the limits of ANS-104', () => {
    const sign = (input: Partial<{ anchor: Uint8Array; tags: Tag[] }>) => () =>
      signer.sign({ anchor, tags, data: Buffer.alloc(0), ...input });
    expect(sign({ anchor: Buffer.alloc(31) })).toThrow('An anchor has 32 bytes or none, not 31.');
    expect(sign({ tags: [{ name: '', value: 'v' }] })).toThrow('empty name or value');
    expect(sign({ tags: [{ name: 'n', value: '' }] })).toThrow('empty name or value');
    expect(sign({ tags: [{ name: 'n'.repeat(1_025), value: 'v' }] })).toThrow('1025 bytes; 1024 are allowed');
    expect(sign({ tags: [{ name: 'n', value: 'v'.repeat(3_073) }] })).toThrow('3073 bytes; 3072 are allowed');
    expect(sign({ tags: Array(129).fill({ name: 'n', value: 'v' }) })).toThrow('129 tags; 128 are allowed');
    expect(sign({ tags: Array(3).fill({ name: 'n', value: 'v'.repeat(1_500) }) })).toThrow('longer than 4096 bytes');
    expect(sign({ tags: [{ name: 'n', value: '\ud800' }] })).toThrow('lone surrogate');
  });

  test('must be signed with the private key of its owner', () => {
    const { privateKey } = newSigningKey();
    expect(() => createItemSigner(privateKey, Buffer.alloc(32, 1))).toThrow(Ans104Error);
  });
});

describe('parsing', () => {
  test('throws only Ans104Error on random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.constantFrom(1, 2), (rest, type) => {
        const noise = Buffer.concat([Buffer.from([type, 0]), rest]);
        verifies(noise);
        try {
          parseBundle(noise);
        } catch (error) {
          expect(error).toBeInstanceOf(Ans104Error);
        }
      }),
    );
  });

  test('accepts Avro tag blocks with sizes and rejects other unusual encodings', () => {
    const encoded = (tagBytes: number[], count: number) => itemWithTags(Buffer.from(tagBytes), count);
    expect(parseItem(encoded([0x01, 0x08, 2, 0x6e, 2, 0x76, 0], 1)).tags).toEqual([{ name: 'n', value: 'v' }]);
    expect(parseItem(encoded([0x02, 2, 0x6e, 2, 0x76, 0x02, 2, 0x6d, 2, 0x77, 0], 2)).tags).toHaveLength(2);
    expect(parseItem(encoded([0], 0)).tags).toEqual([]);
    const refused: [number[], number, string][] = [
      [[0x01, 0x06, 2, 0x6e, 2, 0x76, 0], 1, 'The size of a block of tags is wrong.'],
      [[0x02, 2, 0x6e, 2, 0x76, 0, 0], 1, 'Bytes are left over after the tags.'],
      [[0x02, 2, 0x6e, 2, 0x76, 0], 2, 'There are 1 tags, but 2 are announced.'],
      [[0x04, 2, 0x6e, 2, 0x76, 2, 0x6e, 2, 0x76, 0], 1, 'more tags than the 1 announced'],
      [[0x02, 2, 0x6e, 2, 0x76], 1, 'The tags end in the middle of a length.'],
      [[0x02, 0x82, 0x00, 0x6e, 2, 0x76, 0], 1, 'not encoded in the fewest bytes'],
      [[0x02, 0, 2, 0x76, 0], 1, 'empty name or value'],
      [[0x02, 1, 2, 0x76, 0], 1, 'empty name or value'],
      [[0x02, 2, 0x6e, 40, 0x76, 0], 1, 'reaches beyond the end of the tags'],
      [[0x02, 2, 0xff, 2, 0x76, 0], 1, 'not valid UTF-8'],
      [[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01], 1, 'has more than five bytes'],
      [[], 1, 'The tags end in the middle of a length.'],
      [[0], 200, 'The number of tags is larger than 128.'],
    ];
    for (const [tagBytes, count, sentence] of refused) {
      expect(() => parseItem(encoded(tagBytes, count)), sentence).toThrow(sentence);
    }
    expect(() => parseItem(itemWithTags(Buffer.alloc(4_097), 1))).toThrow(
      'The length of the tags is larger than 4096.',
    );
  });

  test('rejects unknown signature types and presence bytes', () => {
    const { bytes } = signer.sign({ anchor, tags, data: Buffer.alloc(0) });
    const changed = (at: number, value: number) => Buffer.from(bytes).fill(value, at, at + 1);
    expect(() => parseItem(changed(0, 3))).toThrow('Signature type 3 is not one of 1 (Arweave) and 2 (Ed25519).');
    expect(() => parseItem(changed(98, 2))).toThrow('The presence byte of the target is 2, not 0 or 1.');
    expect(() => parseItem(changed(99, 7))).toThrow('The presence byte of the anchor is 7, not 0 or 1.');
  });
});

describe('a bundle', () => {
  const three = ['a', 'b', 'c'].map((data) => signer.sign({ anchor, tags, data: Buffer.from(data) }));
  const bundle = encodeBundle(three);

  test('is rejected if any byte of its index is changed, or if it is truncated or extended', () => {
    for (let at = 0; at < 32 + 3 * 64; at++) {
      const changed = Buffer.from(bundle);
      changed[at] = (changed[at] ?? 0) ^ 0x11;
      expect(() => parseBundle(changed), `byte ${at}`).toThrow(Ans104Error);
    }
    for (let length = 0; length < bundle.length; length++) {
      expect(() => parseBundle(bundle.subarray(0, length))).toThrow(Ans104Error);
    }
    expect(() => parseBundle(Buffer.concat([bundle, Buffer.from([0])]))).toThrow('left over after the last item');
  });

  test('is not encoded with the id of another item', () => {
    const [first, second] = three;
    const mixed = [{ id: first?.id ?? '', bytes: second?.bytes ?? Buffer.alloc(0) }];
    expect(() => encodeBundle(mixed)).toThrow('Item 0 does not have the given id.');
  });
});

function verifies(bytes: Uint8Array): boolean {
  try {
    return verifyItem(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(Ans104Error);
    return false;
  }
}

function itemWithTags(tagBytes: Buffer, count: number): Buffer {
  const bytes = Buffer.alloc(2 + 64 + 32 + 2 + 16 + tagBytes.length);
  bytes[0] = 2;
  bytes.writeUInt32LE(count, 100);
  bytes.writeUInt32LE(tagBytes.length, 108);
  bytes.set(tagBytes, 116);
  return bytes;
}
