import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifyNatively } from '../../server/platform/crypto/ed25519.ts';
import { bytesToHex, utf8ToBytes } from '../signing/encoding.ts';
import { amount } from '../test-amount.ts';
import {
  addSignatures,
  formatNote,
  formatSignatures,
  MAX_NOTE_BYTES,
  MAX_SIGNATURES,
  type Note,
  type NoteSignature,
  parseNote,
  parseSignatures,
} from './note.ts';
import { cosign, signNote, verifyNote } from './note-signatures.ts';
import { bytewise, testKey } from './test-keys.ts';
import { checkNote, cosignLine, readNote, readVkey, signLine } from './test-second-implementation.ts';
import { type Flaw, TransparencyError } from './transparency-error.ts';
import { COSIGNATURE_TYPE, formatVerifierKey, NOTE_TYPE, newVerifierKey, parseVerifierKey } from './verifier-key.ts';

const log = testKey('log.example/1', NOTE_TYPE);
const witness = testKey('witness.example/1', COSIGNATURE_TYPE);

const control = /[\p{Cc}]/u;
const characters = fc.oneof(
  fc.constantFrom('a', 'Z', '0', ' ', '\n', '\u2014', '+', 'é', '漢', '🌊', '\ufeff', '\u007f', '\u0085'),
  fc.nat(0x10ffff).map((point) => String.fromCodePoint(point).toWellFormed()),
);
const texts = fc
  .array(characters, { maxLength: 40 })
  .map((list) => `${list.filter((character) => character === '\n' || character >= ' ').join('')}\n`);
const names = fc
  .array(characters, { minLength: 1, maxLength: 10 })
  .map((list) =>
    list.filter((character) => !control.test(character) && !/[\p{White_Space}+]/u.test(character)).join(''),
  )
  .filter((name) => name !== '');
const lines: fc.Arbitrary<NoteSignature> = fc.record({
  name: names,
  keyId: fc.uint8Array({ minLength: 4, maxLength: 4 }).map(bytesToHex),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 100 }),
});
const notes: fc.Arbitrary<Note> = fc.record({
  text: texts,
  signatures: fc.array(lines, { minLength: 1, maxLength: 4 }),
});

/** `verified`, `unsigned`, or the flaw. Any other error fails the test. */
function resultOf(bytes: Uint8Array, keys = [log.key]): Flaw | 'verified' {
  try {
    return verifyNote(parseNote(bytes), keys, verifyNatively).length > 0 ? 'verified' : 'unsigned';
  } catch (error) {
    if (error instanceof TransparencyError) return error.flaw;
    throw error;
  }
}

describe('a note', () => {
  test('is parsed to what was formatted, as in the second implementation', () => {
    fc.assert(
      fc.property(notes, (note) => {
        const bytes = utf8ToBytes(formatNote(note));
        expect(parseNote(bytes)).toEqual(note);
        expect(parseSignatures(utf8ToBytes(formatSignatures(note.signatures)))).toEqual(note.signatures);
        const read = readNote(bytes);
        expect(read?.text).toBe(note.text);
        expect(read?.lines.map(({ name, id, bytes: signature }) => [name, id, signature.toString('hex')])).toEqual(
          note.signatures.map(({ name, keyId, bytes: signature }) => [name, keyId, bytesToHex(signature)]),
        );
      }),
    );
  });

  test('is malformed exactly if the second implementation rejects it', () => {
    const bytes = fc.constantFrom(0x00, 0x09, 0x0a, 0x0d, 0x20, 0x2b, 0x3d, 0x41, 0x80, 0xc2, 0xa0, 0xe2, 0xff);
    const edits = fc.array(fc.tuple(fc.nat(), fc.nat(2), bytes), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(notes, edits, (note, list) => {
        const edited = [...utf8ToBytes(formatNote(note))];
        for (const [at, removed, byte] of list) edited.splice(at % edited.length, removed, byte);
        const input = Uint8Array.from(edited);
        expect(resultOf(input, []) === 'malformed').toBe(readNote(input) === null);
      }),
      { numRuns: amount(200, 1_000) },
    );
  });

  test('of arbitrary bytes is rejected by the one kind of error', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void resultOf(bytes)));
    for (const bytes of [new Uint8Array(), utf8ToBytes('\n'), utf8ToBytes('\n\n'), utf8ToBytes('\n\n\n')]) {
      expect(resultOf(bytes)).toBe('malformed');
    }
  });

  test('has at most 100 signatures and a million bytes, however they are spent', () => {
    const signature = { ...signNote(log.key, 'text\n', log.sign) };
    const of = (count: number) => ({ text: 'text\n', signatures: Array.from({ length: count }, () => signature) });
    expect(resultOf(utf8ToBytes(formatNote(of(MAX_SIGNATURES))))).toBe('verified');
    expect(() => formatNote(of(MAX_SIGNATURES + 1))).toThrow(TransparencyError);
    const line = formatSignatures([signature]);
    expect(resultOf(utf8ToBytes(`text\n\n${line.repeat(MAX_SIGNATURES + 1)}`))).toBe('malformed');
    for (const filler of ['\n', 'a', 'a\n', '\u2014 ', '\u2014 a AAAAAAA=\n', ' ']) {
      const most = filler.repeat(Math.floor(MAX_NOTE_BYTES / utf8ToBytes(filler).length));
      expect(resultOf(utf8ToBytes(most))).toBe('malformed');
      expect(resultOf(utf8ToBytes(`${most}${most}`))).toBe('malformed');
      expect(resultOf(utf8ToBytes(`text\n\n${most}`))).toBe('malformed');
    }
  });

  test('is not formatted with what it cannot contain', () => {
    const { name, keyId, bytes } = signNote(log.key, 'text\n', log.sign);
    const wrong: Note[] = [
      { text: 'text', signatures: [{ name, keyId, bytes }] },
      { text: 'a\tb\n', signatures: [{ name, keyId, bytes }] },
      { text: '\ud800\n', signatures: [{ name, keyId, bytes }] },
      { text: 'text\n', signatures: [] },
      { text: 'text\n', signatures: [{ name: '', keyId, bytes }] },
      { text: 'text\n', signatures: [{ name: 'a b', keyId, bytes }] },
      { text: 'text\n', signatures: [{ name: 'a+b', keyId, bytes }] },
      { text: 'text\n', signatures: [{ name: 'a\nb', keyId, bytes }] },
      { text: 'text\n', signatures: [{ name, keyId: keyId.toUpperCase().replace('0', 'A'), bytes }] },
      { text: 'text\n', signatures: [{ name, keyId: '123', bytes }] },
      { text: 'text\n', signatures: [{ name, keyId, bytes: new Uint8Array() }] },
    ];
    for (const note of wrong) expect(() => formatNote(note)).toThrow(TransparencyError);
  });

  test('with an added signature has it once for each key', () => {
    const [one, other] = [signNote(log.key, 'text\n', log.sign), signNote(log.key, 'other\n', log.sign)];
    const cosignature = cosign(witness.key, 'text\n', 1, witness.sign);
    const note = addSignatures({ text: 'text\n', signatures: [one] }, [cosignature, other]);
    expect(note.signatures).toEqual([other, cosignature]);
  });
});

describe('a signature', () => {
  test('has the bytes of the second implementation, which verifies it', () => {
    fc.assert(
      fc.property(texts, fc.nat(), (text, time) => {
        const signatures = [signNote(log.key, text, log.sign), cosign(witness.key, text, time, witness.sign)];
        expect(formatSignatures(signatures)).toBe(
          signLine(log.key.name, log.seed, text) + cosignLine(witness.key.name, witness.seed, text, time),
        );
        const note = { text, signatures };
        const verified = verifyNote(note, [witness.key, log.key]);
        expect(verified).toEqual([
          { key: witness.key, timestamp: time },
          { key: log.key, timestamp: null },
        ]);
        expect(verifyNote(note, [witness.key, log.key], verifyNatively)).toEqual(verified);
        const read = readNote(utf8ToBytes(formatNote(note)));
        for (const { key } of [log, witness]) {
          const vkey = readVkey(formatVerifierKey(key));
          expect(read && vkey && checkNote(read, vkey)).toBe('good');
        }
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    ['a note', signNote(log.key, 'a text\n\nof a note\n', log.sign), log.key],
    ['a cosigned note', cosign(witness.key, 'a text\n\nof a note\n', 1_764_000_000, witness.sign), witness.key],
  ])('does not verify after a change of any byte of %s', (_, signature, key) => {
    const bytes = utf8ToBytes(formatNote({ text: 'a text\n\nof a note\n', signatures: [signature] }));
    expect(resultOf(bytes, [key])).toBe('verified');
    for (const [at, changed] of bytewise(bytes)) {
      if (resultOf(changed, [key]) === 'verified') expect.fail(`byte ${at} can be changed`);
    }
  });

  test('is neither made by a key of the other type nor at a time that is no whole number of seconds', () => {
    expect(() => signNote(witness.key, 'text\n', witness.sign)).toThrow(TransparencyError);
    expect(() => cosign(log.key, 'text\n', 1, log.sign)).toThrow(TransparencyError);
    for (const time of [-1, 1.5, Number.NaN, 2 ** 53]) {
      expect(() => cosign(witness.key, 'text\n', time, witness.sign)).toThrow(TransparencyError);
    }
  });

  test('of a note does not pass as one of a checkpoint, with the same key under both types', () => {
    const [asLog, asWitness] = [testKey('one.example', NOTE_TYPE), testKey('one.example', COSIGNATURE_TYPE)];
    const signature = signNote(asLog.key, 'text\n', asLog.sign);
    expect(asLog.key.keyId).not.toBe(asWitness.key.keyId);
    const renamed = { ...signature, keyId: asWitness.key.keyId };
    expect(verifyNote({ text: 'text\n', signatures: [signature] }, [asWitness.key])).toEqual([]);
    expect(resultOf(utf8ToBytes(formatNote({ text: 'text\n', signatures: [renamed] })), [asWitness.key])).toBe(
      'signature',
    );
  });
});

describe('a verifier key', () => {
  test('is parsed to what was formatted, as in the second implementation', () => {
    const seeds = fc.uint8Array({ minLength: 1, maxLength: 8 }).map(bytesToHex);
    fc.assert(
      fc.property(names, seeds, fc.constantFrom(NOTE_TYPE, COSIGNATURE_TYPE), (name, seed, type) => {
        const { key } = testKey(name, type, seed);
        expect(parseVerifierKey(formatVerifierKey(key))).toEqual(key);
        expect(readVkey(formatVerifierKey(key))).toMatchObject({ name, id: key.keyId, type });
        expect(newVerifierKey(name, type, key.publicKey.toUpperCase())).toEqual(key);
      }),
      { numRuns: 20 },
    );
  });

  test('is rejected after a change of any character', () => {
    const bytes = utf8ToBytes(formatVerifierKey(witness.key));
    for (const [at, changed] of bytewise(bytes)) {
      const text = new TextDecoder().decode(changed);
      expect(() => parseVerifierKey(text), `character ${at}`).toThrow(TransparencyError);
    }
  });

  test('of a type that is not supported is rejected by its number', () => {
    const mlDsa = `witness.example/1+00000000+${Buffer.concat([Buffer.from([6]), Buffer.alloc(1_312)]).toString('base64')}`;
    expect(() => parseVerifierKey(mlDsa)).toThrow('signature type 6');
  });
});
