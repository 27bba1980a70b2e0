import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, type Json } from '../signing/canonical-json.ts';
import { utf8ToBytes } from '../signing/encoding.ts';
import { amount } from '../test-amount.ts';
import { decodeEntry, encodeEntry, type LedgerEntry } from './entry.ts';
import { anchorText, entryTags } from './entry-tags.ts';

const letter = fc.nat(0x10ffff).map((point) => String.fromCodePoint(point).toWellFormed());

const open: LedgerEntry = {
  v: 1,
  epoch: 1,
  seq: 2,
  prev: 'A'.repeat(43),
  accepted_at: '2026-01-31T12:00:00.000Z',
  function: 'lockBEO',
  entity_id: '0b7cf8c1-5a0e-5c43-9f0e-2f6a4f1f9d55',
  signer: 'ab'.repeat(32),
  signature: 'c2lnbmF0dXJl',
  message: { function: 'lockBEO', beoId: 'maria.bsp', nonce: 'n', timestamp: 't' },
};
const { message: _, ...common } = open as Extract<LedgerEntry, { message: unknown }>;
const sealed: LedgerEntry = {
  ...common,
  function: 'createBEO',
  seq: 1,
  prev: null,
  signature: null,
  sealed: 'cd'.repeat(32),
  public: { timestamp: 't', domain: 'maria.bsp' },
};

const bytesOf = (value: unknown): Uint8Array => utf8ToBytes(canonicalJson(value as Json));
const members = fc.dictionary(fc.string({ unit: letter }), fc.jsonValue({ stringUnit: letter, maxDepth: 3 }));

describe('an entry of the ledger', () => {
  test.each([
    ['open', open],
    ['sealed', sealed],
    ['with values that the service chose', { ...open, assigned: { record_ids: ['r'] } }],
    ['of the relayer alone', { ...open, signer: null, signature: null }],
  ])('%s is written as canonical JSON and read back', (_, entry) => {
    const bytes = encodeEntry(entry);
    expect(bytes).toEqual(bytesOf(entry));
    expect(decodeEntry(bytes)).toEqual(entry);
  });

  test('can contain any message', () => {
    fc.assert(
      fc.property(members, fc.integer({ min: 1 }), (message, seq) => {
        fc.pre(!Object.hasOwn(message, '__proto__'));
        const bytes = encodeEntry({ ...open, seq, message: message as Record<string, Json> });
        expect(encodeEntry(decodeEntry(bytes))).toEqual(bytes);
      }),
      { numRuns: amount(20, 100) },
    );
  });

  test('has the tags of protocol §10, in order', () => {
    expect(entryTags(open).map(({ name, value }) => `${name}=${value}`)).toEqual([
      'App-Name=Perpetua',
      'App-Version=1',
      'Content-Type=application/json',
      'Function=lockBEO',
      'Entity-Id=0b7cf8c1-5a0e-5c43-9f0e-2f6a4f1f9d55',
      'Seq=2',
    ]);
  });

  test('has an anchor over the id of the previous entry, which the first entry lacks', () => {
    expect(anchorText('A'.repeat(43), 2)).toBe(`${'A'.repeat(43)}:2`);
    expect(anchorText(null, 1)).toBe(':1');
  });
});

describe('decodeEntry rejects', () => {
  test.each<[string, unknown]>([
    ['another version', { ...open, v: 2 }],
    ['no epoch', { ...open, epoch: 0 }],
    ['seq 0', { ...open, seq: 0 }],
    ['a fractional seq', { ...open, seq: 1.5 }],
    ['a seq beyond the safe integers', { ...open, seq: 2 ** 53 }],
    ['a malformed prev', { ...open, prev: 'A' }],
    ['a time without milliseconds', { ...open, accepted_at: '2026-01-31T12:00:00Z' }],
    ['a time in another zone', { ...open, accepted_at: '2026-01-31T12:00:00.000+00:00' }],
    ['no function', { ...open, function: '' }],
    ['no entity', { ...open, entity_id: '' }],
    ['a member that is unknown', { ...open, colour: 'red' }],
    ['a member that is missing', { ...open, signer: undefined }],
    ['neither message nor seal', common],
    ['both message and seal', { ...sealed, message: {} }],
    ['a seal with a signature', { ...sealed, signature: 'c2lnbmF0dXJl' }],
    ['a seal in upper case', { ...sealed, sealed: 'CD'.repeat(32) }],
    ['a message that is a list', { ...open, message: [] }],
    ['a list', [open]],
    ['null', null],
  ])('%s', (_, value) => {
    const bytes = utf8ToBytes(canonicalJson(JSON.parse(JSON.stringify(value)) as Json));
    expect(() => decodeEntry(bytes)).toThrow(/malformed/);
  });

  const text = canonicalJson(open as unknown as Json);
  test.each([
    ['with white space', text.replace(',', ', ')],
    ['in another order', `{"v":1,${text.slice(1).replace(',"v":1', '')}`],
    ['with a member twice', text.replace('"epoch":1', '"epoch":1,"epoch":1')],
    ['with a letter escaped', text.replace('lockBEO', String.raw`\u006cockBEO`)],
    ['with a number in another form', text.replace('"seq":2', '"seq":2.0')],
    ['with a line feed after it', `${text}\n`],
  ])('not canonical: %s', (_, changed) => {
    expect(() => decodeEntry(utf8ToBytes(changed))).toThrow(/canonical/);
  });

  test('a byte order mark', () => {
    expect(() => decodeEntry(utf8ToBytes(`\ufeff${text}`))).toThrow(SyntaxError);
  });

  test('bytes that are not UTF-8 or not JSON', () => {
    expect(() => decodeEntry(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(TypeError);
    expect(() => decodeEntry(utf8ToBytes(text.slice(0, -1)))).toThrow(SyntaxError);
    expect(() => decodeEntry(new Uint8Array())).toThrow(SyntaxError);
  });

  test('encodeEntry rejects a message without canonical JSON', () => {
    expect(() => encodeEntry({ ...open, message: { half: '\ud800' } })).toThrow(TypeError);
  });
});
