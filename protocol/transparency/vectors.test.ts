import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { publicKeyOf, signBytes } from '../signing/ed25519.ts';
import { bytesToHex, hexToBytes, utf8ToBytes } from '../signing/encoding.ts';
import { amount, inFull } from '../test-amount.ts';
import keyVectors from '../vectors/relayer-keys.json' with { type: 'json' };
import vectors from '../vectors/transparency.json' with { type: 'json' };
import { type CheckpointPolicy, readPolicy, verifyCheckpoint } from './checkpoint.ts';
import { originOf } from './ledger-log.ts';
import { leafHash, rootOf } from './merkle.ts';
import { isConsistent, isIncluded } from './merkle-proof.ts';
import { formatNote, formatSignatures, parseNote } from './note.ts';
import { cosign, cosignedMessage, verifyNote } from './note-signatures.ts';
import { decodeProofFile, encodeProofFile, verifyProofFile } from './proof-file.ts';
import * as second from './test-second-implementation.ts';
import {
  encodeEntryBundle,
  entryBundleAt,
  extendTiles,
  hashesInTiles,
  parseTilePath,
  type Tile,
  tileAt,
  tilePath,
} from './tiles.ts';
import { TransparencyError } from './transparency-error.ts';
import { formatVerifierKey, newVerifierKey, parseVerifierKey } from './verifier-key.ts';
import { decideAddCheckpoint, decodeAddCheckpoint, encodeAddCheckpoint, type WitnessDecision } from './witness.ts';

const longTest = inFull(test);

/** Titles for %s, because Vitest shortens $name. */
const titled = <Case extends { readonly name: string }>(cases: readonly Case[]) =>
  cases.map((vector) => [vector.name, vector] as const);

const MAX_LEAVES = amount(600, 70_000);
const inTree = <Case extends { readonly size: number }>(cases: readonly Case[]) =>
  cases.filter(({ size }) => size <= MAX_LEAVES);
const data = Array.from({ length: MAX_LEAVES }, (_, index) => createHash('sha256').update(String(index)).digest());
const naive = new second.NaiveTree(data);
const leafHashes = data.map(leafHash);
const bytesOf = (list: readonly string[]) => list.map(hexToBytes);

/** `valid`, or the flaw for which it is rejected. */
function resultOf(check: () => unknown): string {
  try {
    check();
    return 'valid';
  } catch (error) {
    if (error instanceof TransparencyError) return error.flaw;
    throw error;
  }
}

test.each(Object.entries(vectors).filter(([, cases]) => Array.isArray(cases)))(
  'no two %s have the same name',
  (_, cases) => {
    const names = (cases as readonly { readonly name: string }[]).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  },
);

test('the origin is the one of the ledger id', () => {
  expect(originOf(vectors.ledgerId as Parameters<typeof originOf>[0])).toBe(vectors.origin);
  expect(createHash('sha256').update(hexToBytes(vectors.relayerPublicKey)).digest('hex')).toBe(vectors.ledgerId);
});

describe('trees', () => {
  test.each(titled(vectors.leaves))('%s has the data and the hash of the vector', (_, { index, data: hex, hash }) => {
    expect(data[index]?.toString('hex')).toBe(hex);
    expect(bytesToHex(leafHash(hexToBytes(hex)))).toBe(hash);
    expect(second.leafOf(hexToBytes(hex)).toString('hex')).toBe(hash);
  });

  test.each(titled(inTree(vectors.trees)))('%s have the root of the vector', (_, { size, root }) => {
    expect(bytesToHex(rootOf(leafHashes.slice(0, size)))).toBe(root);
    expect(naive.mth(0, size).toString('hex')).toBe(root);
  });
});

describe('inclusion proofs', () => {
  test.each(titled(vectors.inclusion))('%s', (_, { index, size, valid, ...hex }) => {
    const [leaf, root] = [hexToBytes(hex.leafHash), hexToBytes(hex.root)];
    const proof = bytesOf(hex.proof);
    expect(isIncluded({ index, size, leafHash: leaf, root, proof })).toBe(valid);
    expect(second.checkInclusion(index, size, leaf, proof, root)).toBe(valid);
  });
});

describe('consistency proofs', () => {
  test.each(titled(vectors.consistency))('%s', (_, { oldSize, size, valid, ...hex }) => {
    const [oldRoot, root] = [hexToBytes(hex.oldRoot), hexToBytes(hex.root)];
    const proof = bytesOf(hex.proof);
    expect(isConsistent({ oldSize, oldRoot, size, root, proof })).toBe(valid);
    expect(second.checkConsistency(oldSize, size, oldRoot, root, proof)).toBe(valid);
  });
});

describe('tiles', () => {
  const levels = extendTiles({ size: 0, hashes: [] }, leafHashes).appended;
  const bytesOfTile = ({ level, index, width }: Tile) =>
    Buffer.concat((levels[level]?.hashes ?? []).slice(index * 256, index * 256 + width));
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  test.each(titled(inTree(vectors.tiles)))('%s', (_, { size, level, index, width, path, sha256: digest }) => {
    const tile = tileAt(level, index, size);
    expect(tile).toEqual({ level, index, width });
    expect(tile && tilePath(tile)).toBe(path);
    expect(tile && sha256(bytesOfTile(tile))).toBe(digest);
    expect(sha256(naive.tile(level, index, size))).toBe(digest);
    expect(second.pathOfTile(level, index, width)).toBe(path);
  });

  test.each(titled(inTree(vectors.bundles)))('%s', (_, { size, index, width, path, sha256: digest }) => {
    const bundle = entryBundleAt(index, size);
    expect(bundle).toEqual({ level: 'entries', index, width });
    expect(bundle && tilePath(bundle)).toBe(path);
    const entries = data.slice(index * 256, index * 256 + width);
    expect(sha256(encodeEntryBundle(entries))).toBe(digest);
    expect(sha256(second.bundleOf(entries))).toBe(digest);
    expect(second.pathOfTile('entries', index, width)).toBe(path);
  });

  test.each(titled(vectors.paths))('a path: %s', (_, { path, level, index, width }) => {
    expect(parseTilePath(path)).toEqual(level === null ? null : { level, index, width });
  });

  longTest('the root of 70 000 leaves is read from three tiles', () => {
    const read: string[] = [];
    const hashOf = hashesInTiles(MAX_LEAVES, (tile) => {
      read.push(tilePath(tile));
      return bytesOfTile(tile);
    });
    expect(hashOf({ level: 16, index: 0 })).toEqual(naive.mth(0, 65_536));
    expect(read).toEqual(['tile/2/000.p/1']);
  });
});

describe('verifier keys', () => {
  test.each(titled(vectors.keys))('%s', (_, { secretKey, type, keyName, keyId, vkey }) => {
    const publicKey = publicKeyOf(hexToBytes(secretKey));
    expect(parseVerifierKey(vkey)).toEqual({ name: keyName, keyId, type, publicKey });
    expect(formatVerifierKey(newVerifierKey(keyName, type === 1 ? 1 : 4, publicKey))).toBe(vkey);
    expect(second.vkeyOf(keyName, type, hexToBytes(secretKey))).toBe(vkey);
    expect(second.readVkey(vkey)).toMatchObject({ name: keyName, id: keyId });
  });

  /** Node accepts them; protocol §1 does not. */
  const weak = ['the key is a point of small order', 'the key is not on the curve'];

  test.each(titled(vectors.invalidKeys))('reject: %s', (name, { vkey }) => {
    expect(resultOf(() => parseVerifierKey(vkey))).toBe('malformed');
    if (!weak.includes(name)) expect(second.readVkey(vkey)).toBeNull();
  });
});

describe('notes', () => {
  test.each(titled(vectors.notes))('%s', (_, { note, hex, keys, result }) => {
    const bytes = hex === undefined ? utf8ToBytes(note ?? '') : hexToBytes(hex);
    const verified = resultOf(() => {
      const parsed = parseNote(bytes);
      expect(utf8ToBytes(formatNote(parsed))).toEqual(bytes);
      if (verifyNote(parsed, keys.map(parseVerifierKey)).length === 0) throw new TransparencyError('unsigned', '');
    });
    expect(verified).toBe(result);
    expect(resultOf(() => parseNote(bytes)) === 'malformed').toBe(result === 'malformed');
    const read = second.readNote(bytes);
    expect(read === null).toBe(result === 'malformed');
    const results = keys.map((key) => {
      const vkey = second.readVkey(key);
      return read && vkey && second.checkNote(read, vkey);
    });
    if (read)
      expect(results.includes('bad') ? 'signature' : results.includes('good') ? 'valid' : 'unsigned').toBe(result);
  });
});

describe('cosignatures', () => {
  test.each(titled(vectors.cosignatures))('%s', (_, { secretKey, vkey, text, timestamp, message, line }) => {
    const key = parseVerifierKey(vkey);
    expect(cosignedMessage(text, timestamp)).toEqual(utf8ToBytes(message));
    const signature = cosign(key, text, timestamp, (bytes) => signBytes(hexToBytes(secretKey), bytes));
    expect(formatSignatures([signature])).toBe(line);
    expect(second.cosignLine(key.name, hexToBytes(secretKey), text, timestamp)).toBe(line);
  });
});

describe('policies', () => {
  test.each(titled(vectors.policies))('%s', (_, { result, ...policy }) => {
    expect(resultOf(() => readPolicy(policy))).toBe(result);
  });
});

describe('checkpoints', () => {
  test.each(titled(vectors.checkpoints))('%s', (name, { checkpoint, result, size, timestamps, ...texts }) => {
    const policy = readPolicy(texts);
    const bytes = utf8ToBytes(checkpoint);
    const check = () => {
      const verified = verifyCheckpoint(bytes, policy);
      expect(verified.checkpoint).toMatchObject({ origin: vectors.origin, size });
      expect(verified.cosignatures.map(({ timestamp }) => timestamp)).toEqual(timestamps);
    };
    expect(resultOf(check)).toBe(result);
    const accepted = texts.log.some((log) => second.acceptCheckpoint(bytes, log, texts.witnesses, texts.quorum));
    // The second implementation has no limit for the size, and returns the timestamp of no signature.
    if (name !== 'the size is 2^53') expect(accepted).toBe(result === 'valid');
  });
});

test('docs/transparency.md shows a checkpoint of the vectors', () => {
  const document = readFileSync(new URL('../../docs/transparency.md', import.meta.url), 'utf8').replace(/^ {4}/gm, '');
  const shown = vectors.checkpoints.filter(({ checkpoint }) => document.includes(checkpoint));
  expect(shown.map(({ name }) => name)).toContain('two of three witnesses');
});

describe('requests to a witness', () => {
  const statusOf = (body: Uint8Array, log: Parameters<typeof decideAddCheckpoint>[1]): WitnessDecision => {
    try {
      const request = decodeAddCheckpoint(body);
      expect(utf8ToBytes(encodeAddCheckpoint(request))).toEqual(body);
      return decideAddCheckpoint(request, log);
    } catch (error) {
      if (error instanceof TransparencyError && error.flaw === 'malformed')
        return { status: 400, message: error.message };
      throw error;
    }
  };

  test.each(titled(vectors.requests))('%s', (_, { body, log, last, status, size }) => {
    const keys = log?.map(parseVerifierKey) ?? null;
    const head = last && { size: last.size, root: hexToBytes(last.root) };
    const decision = statusOf(utf8ToBytes(body), { keys, last: head });
    expect(decision.status).toBe(status);
    if (decision.status === 409) expect(decision.size).toBe(size);
    const read = second.readAddCheckpoint(utf8ToBytes(body));
    if (read && status === 200) {
      const { oldSize, proof, checkpoint } = read;
      const oldRoot = head?.root ?? createHash('sha256').digest();
      const sizes = [Number(oldSize), Number(checkpoint.size)] as const;
      expect(second.checkConsistency(...sizes, oldRoot, checkpoint.root, proof)).toBe(true);
      expect(decision).toEqual({ status, head: { size: sizes[1], root: new Uint8Array(checkpoint.root) } });
    }
    expect(read !== null || status === 400).toBe(true);
  });
});

describe('proof files', () => {
  /** The second implementation does not read the entry. */
  const isAboutEntry = (result: string) => result === 'item' || result === 'place';

  test.each(titled(vectors.proofs))('%s', (_, { file, result, index, id, ...texts }) => {
    const policy: CheckpointPolicy = readPolicy(texts);
    const bytes = utf8ToBytes(file);
    const check = () => {
      expect(encodeProofFile(decodeProofFile(bytes))).toBe(file);
      expect(verifyProofFile(bytes, policy)).toMatchObject({ index, id, entry: { seq: (index ?? 0) + 1 } });
    };
    expect(resultOf(check)).toBe(result);
    expect(resultOf(() => decodeProofFile(bytes)) === 'malformed').toBe(result === 'malformed');
    const accepted = texts.log.some((log) => second.acceptProofFile(bytes, log, texts.witnesses, texts.quorum));
    if (!isAboutEntry(result)) expect(accepted).toBe(result === 'valid');
  });
});

describe('proof files of a ledger whose relayer changed its key', () => {
  const policy = readPolicy({ log: [keyVectors.log], witnesses: [], quorum: 0 });

  test.each(titled(keyVectors.proofs))('%s', (_, { file, id, result }) => {
    const bytes = utf8ToBytes(file);
    const check = () => {
      expect(encodeProofFile(decodeProofFile(bytes))).toBe(file);
      expect(verifyProofFile(bytes, policy)).toMatchObject({ id, steps: { length: 6 } });
    };
    expect(resultOf(check)).toBe(result);
  });
});
