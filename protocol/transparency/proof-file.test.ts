import { createHash, randomBytes, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createItemSigner } from '../../server/ledger/ans104.ts';
import { type ChainedEntry, chain, type Draft } from '../../server/ledger/chain.ts';
import { verifyNatively } from '../../server/platform/crypto/ed25519.ts';
import { newSigningKey } from '../../server/platform/crypto/signed-request.ts';
import { ledgerIdOf } from '../ids.ts';
import { encodeEntry, type LedgerEntry } from '../ledger/entry.ts';
import { canonicalJson } from '../signing/canonical-json.ts';
import { utf8ToBytes } from '../signing/encoding.ts';
import { amount } from '../test-amount.ts';
import { type CheckpointPolicy, formatCheckpoint, readPolicy } from './checkpoint.ts';
import { leafDataOf, leafHashOf, originOf } from './ledger-log.ts';
import type { HashOf } from './merkle.ts';
import { inclusionProof } from './merkle-proof.ts';
import type { Note } from './note.ts';
import { cosign, signNote } from './note-signatures.ts';
import {
  decodeProofFile,
  encodeProofFile,
  MAX_PROOF_FILE_BYTES,
  type ProofFile,
  type VerifiedProof,
  verifyProofFile,
} from './proof-file.ts';
import { bytewise, testKey } from './test-keys.ts';
import { acceptProofFile, NaiveTree, readProofFile } from './test-second-implementation.ts';
import { hashesInTiles, type Tile, tilePath } from './tiles.ts';
import { type Flaw, TransparencyError } from './transparency-error.ts';
import { COSIGNATURE_TYPE, formatVerifierKey, NOTE_TYPE } from './verifier-key.ts';

const ENTRIES = 13;
const relayer = newSigningKey();
const raw = Buffer.from(relayer.publicKey, 'hex');
const signer = createItemSigner(relayer.privateKey, raw);
const origin = originOf(ledgerIdOf(raw.toString('hex')));

const holder = newSigningKey();
const holderKey = holder.publicKey;
const beoId = '6f1f64f5-cd0f-5d50-8f1c-6d3c8f5f0d7a';

function draftOf(seq: number, text: object = {}): Draft {
  const name = seq % 2 ? 'lockBEO' : 'unlockBEO';
  const message = {
    function: name,
    beoId,
    nonce: `nonce number ${seq}`,
    timestamp: '2026-11-24T12:00:00.000Z',
    ...text,
  };
  const signature = sign(null, Buffer.from(canonicalJson(message)), holder.privateKey).toString('base64');
  return { function: name, entity_id: beoId, signer: holderKey, signature, message };
}

const entries: ChainedEntry[] = [];
for (let seq = 1; seq <= ENTRIES; seq++) {
  const head = entries.at(-1) ?? { epoch: 1, seq: 0, id: null };
  entries.push(chain(signer, head, draftOf(seq), '2026-11-24T12:00:01.000Z'));
}
const naive = new NaiveTree(entries.map(({ id }) => leafDataOf(id)));

const log = testKey(origin, NOTE_TYPE);
const witnesses = ['one', 'two', 'three'].map((name) => testKey(`witness.example/${name}`, COSIGNATURE_TYPE));
const keys = { log: [formatVerifierKey(log.key)], witnesses: witnesses.map(({ key }) => formatVerifierKey(key)) };
const policy: CheckpointPolicy = readPolicy({ ...keys, quorum: 3 });

function checkpointOf(size: number, root: Uint8Array): Note {
  const text = formatCheckpoint({ origin, size, root, extensions: [] });
  const cosignatures = witnesses.map(({ key, sign: signBytes }) => cosign(key, text, 1_764_000_000, signBytes));
  return { text, signatures: [signNote(log.key, text, log.sign), ...cosignatures] };
}

const hashOf: HashOf = ({ level, index }) => naive.mth(index * 2 ** level, (index + 1) * 2 ** level);

function proofOf(index: number, size: number): ProofFile {
  const item = entries[index]?.item;
  if (!item) throw new Error('There is no such entry.');
  const path = inclusionProof(index, size, hashOf);
  const checkpoint = checkpointOf(size, naive.mth(0, size));
  return { item: new Uint8Array(item), succession: [], index, path, checkpoint };
}

const bytesOf = (file: ProofFile) => utf8ToBytes(encodeProofFile(file));
const acceptedBySecond = (bytes: Uint8Array) => acceptProofFile(bytes, keys.log[0] ?? '', keys.witnesses, 3);

function verified(bytes: Uint8Array): VerifiedProof | Flaw {
  try {
    return verifyProofFile(bytes, policy, verifyNatively);
  } catch (error) {
    if (error instanceof TransparencyError) return error.flaw;
    throw error;
  }
}

describe('a proof file', () => {
  test('of every entry in every tree is verified, by the second implementation too', () => {
    for (const size of amount(
      [1, 6, ENTRIES],
      Array.from({ length: ENTRIES }, (_, index) => index + 1),
    )) {
      for (let index = 0; index < size; index++) {
        const file = proofOf(index, size);
        const bytes = bytesOf(file);
        expect(encodeProofFile(decodeProofFile(bytes))).toBe(encodeProofFile(file));
        expect(readProofFile(bytes)).toMatchObject({ index, extra: Buffer.from(file.item) });
        expect(verified(bytes)).toMatchObject({
          id: entries[index]?.id,
          index,
          checkpoint: { origin, size },
          entry: { seq: index + 1, function: entries[index]?.function },
          cosignatures: witnesses.map(({ key }) => ({ key, timestamp: 1_764_000_000 })),
        });
        expect(acceptedBySecond(bytes)).toBe(true);
      }
    }
  });

  test('is rejected after a change of any byte', () => {
    const bytes = bytesOf(proofOf(5, 7));
    const step = amount(29, 1);
    for (const [at, changed] of bytewise(bytes)) {
      if (at % step > 0) continue;
      if (typeof verified(changed) === 'object') expect.fail(`byte ${at} can be changed`);
    }
  });

  test('is rejected if any line is missing, repeated or moved', () => {
    const lines = encodeProofFile(proofOf(5, 13)).split('\n');
    for (const [at, line] of lines.entries()) {
      const changed = [
        lines.toSpliced(at, 1),
        lines.toSpliced(at, 0, line),
        lines.toSpliced(at, 2, lines[at + 1] ?? '', line),
      ];
      for (const list of changed) {
        const text = list.join('\n');
        if (text === lines.join('\n')) continue;
        const result = verified(utf8ToBytes(text));
        // A line of a signature may be repeated, and its place has no meaning.
        if (line.startsWith('\u2014') && typeof result === 'object') expect(result.index).toBe(5);
        else expect(typeof result, `line ${at}: ${line}`).toBe('string');
      }
    }
  });

  test('is rejected if its parts are of different proofs', () => {
    const [one, other, smaller] = [proofOf(5, 13), proofOf(6, 13), proofOf(5, 7)];
    const results = [
      { ...one, item: other.item },
      { ...one, index: other.index },
      { ...one, path: other.path },
      { ...one, checkpoint: smaller.checkpoint },
      { ...one, item: other.item, index: other.index },
      { ...other, path: one.path },
    ].map((file) => verified(bytesOf(file)));
    expect(results).toEqual(['place', 'place', 'inclusion', 'inclusion', 'inclusion', 'inclusion']);
  });

  test('among a million entries is smaller than 4 kB without its item, and reads at most six tiles', () => {
    const size = 1_000_000;
    const large = new NaiveTree(entries.map(({ id }) => leafDataOf(id)));
    const sizes = [0, 1, 4_999, 500_000, 999_990, 999_999].map((index) => {
      const tiles = new Set<string>();
      const read = (tile: Tile) => {
        tiles.add(tilePath(tile));
        return large.tile(tile.level, tile.index, size);
      };
      const path = inclusionProof(index, size, hashesInTiles(size, read));
      expect(tiles.size).toBeLessThanOrEqual(6);
      const file = { ...proofOf(0, 1), index, path, checkpoint: checkpointOf(size, large.mth(0, size)) };
      return encodeProofFile(file).length - Buffer.from(file.item).toString('base64').length;
    });
    expect(Math.max(...sizes)).toBeLessThan(4_000);
    expect(Math.max(...sizes)).toBeGreaterThan(1_000);
  });

  test('of arbitrary bytes, or of arbitrary parts, is rejected by the one kind of error', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => typeof verified(bytes) === 'string'));
    const good = encodeProofFile(proofOf(2, 5)).split('\n');
    const parts = fc.oneof(
      fc.constantFrom(...good),
      fc.constantFrom('', 'extra ', 'index ', 'old 0', '\u2014 a AAAAAAA='),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (lines) => {
        const bytes = utf8ToBytes(`${lines.join('\n')}\n`);
        const result = verified(bytes);
        if (typeof result === 'object') expect(acceptedBySecond(bytes)).toBe(true);
      }),
      { numRuns: amount(60, 300) },
    );
  });

  test('that is too large is rejected before it is read, and one of the largest size takes no longer than its bytes', () => {
    const header = 'c2sp.org/tlog-proof@v1\n';
    const fill = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));
    for (const filler of ['A', 'A\n', '\n', 'extra A\n', '\u2014 ']) {
      const body = fill(filler, MAX_PROOF_FILE_BYTES - 100);
      for (const text of [
        body,
        `${header}extra ${body}`,
        `${header}extra AAAA\nindex ${body}`,
        `${header}\n\n${body}`,
      ]) {
        expect(verified(utf8ToBytes(text))).toBe('malformed');
      }
    }
    expect(verified(new Uint8Array(MAX_PROOF_FILE_BYTES + 1))).toBe('malformed');
    expect(() => encodeProofFile({ ...proofOf(0, 1), item: new Uint8Array() })).toThrow(TransparencyError);
    expect(() => encodeProofFile({ ...proofOf(0, 1), index: -1 })).toThrow(TransparencyError);
  });
});

describe('an item that is not a valid entry of the ledger', () => {
  /** Proven correctly: the log of a dishonest relayer contains its id. */
  function provenWith(item: Uint8Array): VerifiedProof | Flaw {
    const id = createHash('sha256').update(item.subarray(2, 66)).digest('base64url') as ChainedEntry['id'];
    const text = formatCheckpoint({ origin, size: 1, root: leafHashOf(id), extensions: [] });
    const cosignatures = witnesses.map(({ key, sign: signBytes }) => cosign(key, text, 1, signBytes));
    const checkpoint = { text, signatures: [signNote(log.key, text, log.sign), ...cosignatures] };
    return verified(bytesOf({ item: new Uint8Array(item), succession: [], index: 0, path: [], checkpoint }));
  }
  const first = { epoch: 1, seq: 0, id: null };
  const at = '2026-11-24T12:00:01.000Z';

  test('is rejected, although its id is in the tree', () => {
    expect(provenWith(chain(signer, first, draftOf(1), at).item)).toMatchObject({ index: 0 });
    const unsigned = { ...draftOf(1), signature: randomBytes(64).toString('base64') } as Draft;
    expect(provenWith(chain(signer, first, unsigned, at).item)).toBe('item');
    const other = newSigningKey();
    const otherRaw = Buffer.from(other.publicKey, 'hex');
    expect(provenWith(chain(createItemSigner(other.privateKey, otherRaw), first, draftOf(1), at).item)).toBe('item');
    expect(provenWith(chain(signer, { ...first, seq: 4 }, draftOf(5), at).item)).toBe('place');
  });

  test('is rejected by the one kind of error, whatever it contains', () => {
    const itemWith = (data: string) =>
      signer.sign({ anchor: createHash('sha256').update(':1').digest(), tags: [], data: Buffer.from(data) }).bytes;
    const entry: LedgerEntry = { v: 1, epoch: 1, seq: 1, prev: null, accepted_at: at, ...draftOf(1) };
    const good = new TextDecoder().decode(encodeEntry(entry));
    const contents = [
      '',
      '{}',
      'null',
      '[]',
      good.slice(1),
      good,
      good.replace('lockBEO', '\\ud800'),
      '['.repeat(100_000),
    ];
    for (const data of contents) expect(provenWith(itemWith(data)), data.slice(0, 20)).toBe('item');
    const deep = good.replace('"nonce number 1"', `${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(provenWith(itemWith(deep))).toBe('item');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => bytes.length === 0 || provenWith(bytes) === 'item'),
    );
  });
});
