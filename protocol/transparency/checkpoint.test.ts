import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifyNatively } from '../../server/platform/crypto/ed25519.ts';
import { utf8ToBytes } from '../signing/encoding.ts';
import { amount } from '../test-amount.ts';
import {
  type Checkpoint,
  type CheckpointPolicy,
  formatCheckpoint,
  parseCheckpoint,
  readPolicy,
  verifyCheckpoint,
} from './checkpoint.ts';
import { formatNote } from './note.ts';
import { cosign, signNote, type VerifyBytes } from './note-signatures.ts';
import { bytewise, testKey } from './test-keys.ts';
import { acceptCheckpoint, checkpointText, readCheckpoint } from './test-second-implementation.ts';
import { type Flaw, TransparencyError } from './transparency-error.ts';
import { COSIGNATURE_TYPE, formatVerifierKey, NOTE_TYPE } from './verifier-key.ts';

const log = testKey('log.example/1', NOTE_TYPE);
const witnesses = ['one', 'two', 'three'].map((name) => testKey(`witness.example/${name}`, COSIGNATURE_TYPE));
const keys = {
  log: [formatVerifierKey(log.key)],
  witnesses: witnesses.map(({ key }) => formatVerifierKey(key)),
};
const all = readPolicy({ ...keys, quorum: 3 });
const policyOf = (quorum: number): CheckpointPolicy => ({ ...all, quorum });

const root = new Uint8Array(32).fill(7);
const checkpoint: Checkpoint = { origin: log.key.name, size: 42, root, extensions: [] };

/** Signed by the log, and by the witnesses at these times; null for a witness that did not sign. */
function signed(times: readonly (number | null)[], text = formatCheckpoint(checkpoint)): Uint8Array {
  const cosignatures = times.flatMap((time, index) => {
    const witness = witnesses[index];
    return witness && time !== null ? [cosign(witness.key, text, time, witness.sign)] : [];
  });
  return utf8ToBytes(formatNote({ text, signatures: [signNote(log.key, text, log.sign), ...cosignatures] }));
}

function resultOf(bytes: Uint8Array, policy: CheckpointPolicy, verify?: VerifyBytes): Flaw | 'valid' {
  try {
    verifyCheckpoint(bytes, policy, verify);
    return 'valid';
  } catch (error) {
    if (error instanceof TransparencyError) return error.flaw;
    throw error;
  }
}

describe('the text of a checkpoint', () => {
  const origins = fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }).filter((text) => !text.includes('\n'));
  const checkpoints: fc.Arbitrary<Checkpoint> = fc.record({
    origin: origins,
    size: fc.oneof(fc.nat(10), fc.nat(Number.MAX_SAFE_INTEGER)),
    root: fc.uint8Array({ minLength: 32, maxLength: 32 }),
    extensions: fc.array(origins, { maxLength: 3 }),
  });

  test('is parsed to what was formatted, as in the second implementation', () => {
    fc.assert(
      fc.property(checkpoints, (value) => {
        const text = formatCheckpoint(value);
        expect(parseCheckpoint(text)).toEqual(value);
        expect(readCheckpoint(text)).toEqual({
          origin: value.origin,
          size: BigInt(value.size),
          root: Buffer.from(value.root),
        });
        const { origin, size, root: hash, extensions } = value;
        if (extensions.length === 0) expect(checkpointText(origin, size, hash)).toBe(text);
      }),
    );
  });

  test('is malformed exactly if the second implementation rejects it', () => {
    const edits = fc.tuple(fc.nat(), fc.nat(2), fc.constantFrom('', '\n', '0', '=', 'A', ' ', '\n\n', '9999999'));
    fc.assert(
      fc.property(checkpoints, fc.array(edits, { minLength: 1, maxLength: 2 }), (value, list) => {
        const edited = [...formatCheckpoint(value)];
        for (const [at, removed, added] of list) edited.splice(at % (edited.length || 1), removed, added);
        const text = edited.join('');
        const parsed = (() => {
          try {
            return parseCheckpoint(text);
          } catch (error) {
            if (error instanceof TransparencyError) return null;
            throw error;
          }
        })();
        const read = readCheckpoint(text);
        if (read && read.size > BigInt(Number.MAX_SAFE_INTEGER)) return;
        expect(parsed === null).toBe(read === null);
      }),
      { numRuns: amount(200, 1_000) },
    );
  });

  test('is not formatted with what it cannot contain', () => {
    const wrong: Checkpoint[] = [
      { ...checkpoint, origin: '' },
      { ...checkpoint, origin: 'a\nb' },
      { ...checkpoint, size: -1 },
      { ...checkpoint, size: 2 ** 53 },
      { ...checkpoint, root: new Uint8Array(31) },
      { ...checkpoint, extensions: [''] },
      { ...checkpoint, extensions: ['a\nb'] },
    ];
    for (const value of wrong) expect(() => formatCheckpoint(value)).toThrow(TransparencyError);
  });
});

describe('a policy of n of m witnesses', () => {
  const subsets = fc.tuple(...witnesses.map(() => fc.option(fc.nat({ max: 2_000_000_000 }))));

  test('accepts exactly the checkpoints that n cosigned, as the second implementation does', () => {
    fc.assert(
      fc.property(subsets, fc.integer({ min: 0, max: 3 }), (times, quorum) => {
        const bytes = signed(times);
        const given = times.filter((time) => time !== null);
        expect(resultOf(bytes, policyOf(quorum))).toBe(given.length < quorum ? 'witnesses' : 'valid');
        expect(resultOf(bytes, policyOf(quorum), verifyNatively)).toBe(resultOf(bytes, policyOf(quorum)));
        const accepted = acceptCheckpoint(bytes, keys.log[0] ?? '', keys.witnesses, quorum);
        expect(accepted !== null).toBe(given.length >= quorum);
        if (given.length < quorum) return;
        const verified = verifyCheckpoint(bytes, policyOf(quorum), verifyNatively);
        expect(verified.checkpoint).toEqual(checkpoint);
        expect(verified.cosignatures.map(({ timestamp }) => timestamp)).toEqual(given);
      }),
      { numRuns: 40 },
    );
  });

  test('accepts no checkpoint in which any byte was changed, if all must have cosigned', () => {
    const bytes = signed([1_764_000_000, 1_764_000_001, 1_764_000_002]);
    expect(resultOf(bytes, policyOf(3), verifyNatively)).toBe('valid');
    for (const [at, changed] of bytewise(bytes)) {
      if (resultOf(changed, policyOf(3), verifyNatively) === 'valid') expect.fail(`byte ${at} can be changed`);
    }
  });

  test('accepts only the checkpoint itself if any byte was changed and one witness may be missing', () => {
    const bytes = signed([1_764_000_000, 1_764_000_001, null]);
    for (const [, changed] of bytewise(bytes)) {
      if (resultOf(changed, policyOf(1), verifyNatively) !== 'valid') continue;
      expect(verifyCheckpoint(changed, policyOf(1)).checkpoint).toEqual(checkpoint);
    }
  });

  test('counts no witness twice, however often it signed', () => {
    const text = formatCheckpoint(checkpoint);
    const [witness] = witnesses;
    if (!witness) throw new Error('There is no witness.');
    const cosignatures = [1, 2, 3].map((time) => cosign(witness.key, text, time, witness.sign));
    const note = { text, signatures: [signNote(log.key, text, log.sign), ...cosignatures] };
    const bytes = utf8ToBytes(formatNote(note));
    expect(resultOf(bytes, policyOf(2))).toBe('witnesses');
    expect(verifyCheckpoint(bytes, policyOf(1)).cosignatures).toMatchObject([{ timestamp: 3 }]);
  });
});
