import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifyNatively } from '../../server/platform/crypto/ed25519.ts';
import { utf8ToBytes } from '../signing/encoding.ts';
import { amount } from '../test-amount.ts';
import { formatCheckpoint } from './checkpoint.ts';
import type { Hash, HashOf } from './merkle.ts';
import { consistencyProof } from './merkle-proof.ts';
import { addSignatures, formatNote, formatSignatures, MAX_NOTE_BYTES, type Note } from './note.ts';
import { cosign, signNote } from './note-signatures.ts';
import { bytewise, testKey } from './test-keys.ts';
import { checkConsistency, NaiveTree, readAddCheckpoint } from './test-second-implementation.ts';
import { type Flaw, TransparencyError } from './transparency-error.ts';
import { COSIGNATURE_TYPE, NOTE_TYPE } from './verifier-key.ts';
import {
  type AddCheckpoint,
  decideAddCheckpoint,
  decodeAddCheckpoint,
  encodeAddCheckpoint,
  formatTreeSize,
  readWitnessResponse,
  type TreeHead,
  type WitnessDecision,
} from './witness.ts';

const log = testKey('log.example/1', NOTE_TYPE);
const witness = testKey('witness.example/1', COSIGNATURE_TYPE);
const other = testKey('witness.example/2', COSIGNATURE_TYPE);

const treeOf = (name: string, size: number) =>
  new NaiveTree(Array.from({ length: size }, (_, index) => Buffer.from(`${name} ${index}`)));
const tree = treeOf('entry', 300);
const fork = treeOf('forged entry', 300);

const hashesOf =
  (naive: NaiveTree): HashOf =>
  ({ level, index }) =>
    naive.mth(index * 2 ** level, (index + 1) * 2 ** level);

function noteOf(size: number, naive = tree): Note {
  const text = formatCheckpoint({ origin: log.key.name, size, root: naive.mth(0, size), extensions: [] });
  return { text, signatures: [signNote(log.key, text, log.sign)] };
}

const requestOf = (oldSize: number, size: number, naive = tree): AddCheckpoint => ({
  oldSize,
  proof: oldSize <= size ? consistencyProof(oldSize, size, hashesOf(naive)) : [],
  note: noteOf(size, naive),
});

function decide(request: AddCheckpoint, last: TreeHead | null): WitnessDecision {
  const decoded = decodeAddCheckpoint(utf8ToBytes(encodeAddCheckpoint(request)));
  return decideAddCheckpoint(decoded, { keys: [log.key], last }, verifyNatively);
}

const headOf = (size: number, naive = tree): TreeHead => ({ size, root: naive.mth(0, size) });

/** The witness as a server: the status and the body of its answer. */
function answer(request: AddCheckpoint, last: TreeHead | null): { readonly status: number; readonly body: Uint8Array } {
  const decision = decide(request, last);
  if (decision.status === 200) {
    const line = formatSignatures([cosign(witness.key, request.note.text, 1_764_000_000, witness.sign)]);
    return { status: 200, body: utf8ToBytes(line) };
  }
  return {
    status: decision.status,
    body: utf8ToBytes(decision.status === 409 ? formatTreeSize(decision.size) : 'no\n'),
  };
}

function resultOf(read: () => unknown): Flaw | 'read' {
  try {
    read();
    return 'read';
  } catch (error) {
    if (error instanceof TransparencyError) return error.flaw;
    throw error;
  }
}

describe('a witness', () => {
  const sizes = fc.nat(300);

  test('cosigns exactly what extends the last tree from its size, with a proof that the second implementation accepts', () => {
    fc.assert(
      fc.property(sizes, sizes, sizes, (last, oldSize, size) => {
        const request = requestOf(oldSize, size);
        const { status } = decide(request, headOf(last));
        expect(status).toBe(oldSize > size ? 400 : oldSize !== last ? 409 : 200);
        const { root } = headOf(size);
        if (status === 200) expect(checkConsistency(last, size, headOf(last).root, root, request.proof)).toBe(true);
      }),
      { numRuns: amount(40, 200) },
    );
  });

  test('cosigns no fork, whatever tree its proof is of', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), sizes, fc.boolean(), (last, added, isOldProof) => {
        const size = Math.min(last + added, 300);
        const proof: Hash[] = consistencyProof(last, size, hashesOf(isOldProof ? tree : fork));
        expect(decide({ oldSize: last, proof, note: noteOf(size, fork) }, headOf(last)).status).toBe(422);
      }),
      { numRuns: amount(20, 100) },
    );
  });

  test('is brought up to date by a log that learns its size from the conflict', () => {
    const text = noteOf(200).text;
    const read = (oldSize: number, last: TreeHead | null) =>
      readWitnessResponse(answer(requestOf(oldSize, 200), last), text, witness.key);
    expect(read(0, headOf(77))).toEqual({ kind: 'conflict', size: 77 });
    const cosigned = read(77, headOf(77));
    expect(cosigned.kind).toBe('cosigned');
    if (cosigned.kind === 'cosigned') {
      expect(addSignatures(noteOf(200), cosigned.signatures).signatures).toHaveLength(2);
    }
  });

  test('stores the tree that it cosigned', () => {
    expect(decide(requestOf(7, 13), headOf(7))).toEqual({
      status: 200,
      head: { size: 13, root: new Uint8Array(tree.mth(0, 13)) },
    });
    expect(decide(requestOf(0, 13), null)).toMatchObject({ status: 200 });
  });

  test('gives an error of the verifier to its caller', () => {
    const request = decodeAddCheckpoint(utf8ToBytes(encodeAddCheckpoint(requestOf(0, 1))));
    const broken = () => {
      throw new Error('broken');
    };
    expect(() => decideAddCheckpoint(request, { keys: [log.key], last: null }, broken)).toThrow('broken');
  });
});

describe('the body of a request', () => {
  test('is decoded to what was encoded, as in the second implementation', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), (one, two) => {
        const request = requestOf(Math.min(one, two), Math.max(one, two));
        const bytes = utf8ToBytes(encodeAddCheckpoint(request));
        const { checkpoint, ...decoded } = decodeAddCheckpoint(bytes);
        expect(decoded).toEqual({ ...request, proof: request.proof.map((hash) => new Uint8Array(hash)) });
        expect(checkpoint.size).toBe(Math.max(one, two));
        const read = readAddCheckpoint(bytes);
        expect(read?.oldSize).toBe(BigInt(request.oldSize));
        expect(read?.proof.map((hash) => hash.toString('hex'))).toEqual(
          request.proof.map((hash) => Buffer.from(hash).toString('hex')),
        );
      }),
      { numRuns: 50 },
    );
  });

  test('leads to no cosignature after a change of any byte', () => {
    const bytes = utf8ToBytes(encodeAddCheckpoint(requestOf(6, 13)));
    for (const [at, changed] of bytewise(bytes)) {
      const status = (() => {
        try {
          const decoded = decodeAddCheckpoint(changed);
          return decideAddCheckpoint(decoded, { keys: [log.key], last: headOf(6) }, verifyNatively).status;
        } catch (error) {
          if (error instanceof TransparencyError) return 400;
          throw error;
        }
      })();
      if (status === 200) expect.fail(`byte ${at} can be changed`);
    }
  });

  test('is rejected by the one kind of error if it is arbitrary, too long, or has more than 63 hashes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => resultOf(() => decodeAddCheckpoint(bytes)) !== 'read'),
    );
    const hashes = (count: number) => Array.from({ length: count }, () => tree.mth(0, 1));
    const of = (count: number) => ({ oldSize: 1, proof: hashes(count), note: noteOf(13) });
    expect(decodeAddCheckpoint(utf8ToBytes(encodeAddCheckpoint(of(63)))).proof).toHaveLength(63);
    expect(() => encodeAddCheckpoint(of(64))).toThrow(TransparencyError);
    expect(() => encodeAddCheckpoint({ ...of(1), oldSize: -1 })).toThrow(TransparencyError);
    for (const filler of ['\n', 'A\n', `${Buffer.alloc(32).toString('base64')}\n`]) {
      const text = `old 1\n${filler.repeat(Math.floor(MAX_NOTE_BYTES / filler.length))}`;
      expect(resultOf(() => decodeAddCheckpoint(utf8ToBytes(text)))).toBe('malformed');
      expect(resultOf(() => decodeAddCheckpoint(utf8ToBytes(text + text)))).toBe('malformed');
    }
  });
});

describe('the response of a witness', () => {
  const { text } = noteOf(13);
  const line = (key = witness, time = 5, signed = text) => formatSignatures([cosign(key.key, signed, time, key.sign)]);
  const read = (status: number, body: string) =>
    readWitnessResponse({ status, body: utf8ToBytes(body) }, text, witness.key);

  test('gives the cosignatures of this witness, and ignores others', () => {
    const expected = { kind: 'cosigned', signatures: [cosign(witness.key, text, 5, witness.sign)] };
    expect(read(200, line())).toEqual(expected);
    expect(read(200, line(other) + line())).toEqual(expected);
    expect(read(200, line(other, 5, 'another text\n') + line())).toEqual(expected);
    expect(read(200, line(witness, 4) + line())).toEqual(expected);
  });

  test('is rejected without a valid cosignature of this witness', () => {
    expect(resultOf(() => read(200, line(other)))).toBe('unsigned');
    expect(resultOf(() => read(200, line(witness, 5, noteOf(12).text)))).toBe('signature');
    expect(resultOf(() => read(200, line(witness, 5, noteOf(12).text) + line()))).toBe('signature');
    for (const body of ['', '\n', 'ok\n', line().slice(0, -1), formatNote(noteOf(13)), `\n${line()}`]) {
      expect(
        resultOf(() => read(200, body)),
        body,
      ).toBe('malformed');
    }
    for (const [at, changed] of bytewise(utf8ToBytes(line()))) {
      const result = resultOf(() =>
        readWitnessResponse({ status: 200, body: changed }, text, witness.key, verifyNatively),
      );
      if (result === 'read') expect.fail(`byte ${at} can be changed`);
    }
  });

  test('with a conflict gives the size that the witness has', () => {
    for (const size of [0, 7, Number.MAX_SAFE_INTEGER]) {
      expect(read(409, formatTreeSize(size))).toEqual({ kind: 'conflict', size });
    }
    for (const body of ['', '7', '77', '07\n', '7\n\n', ' 7\n', '-1\n', '7 \n', `${2 ** 53}\n`, '9'.repeat(100_000)]) {
      expect(
        resultOf(() => read(409, body)),
        body.slice(0, 20),
      ).toBe('malformed');
    }
  });

  test('with another status is a refusal, whatever its body', () => {
    for (const status of [400, 403, 404, 422, 429, 500, 503, 301]) {
      expect(read(status, line())).toEqual({ kind: 'refused', status });
    }
  });
});
