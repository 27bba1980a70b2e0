import { createHash, createPrivateKey, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { LedgerId, TransactionId } from '../../../protocol/ids.ts';
import { canonicalJson } from '../../../protocol/signing/canonical-json.ts';
import { publicKeyOf } from '../../../protocol/signing/ed25519.ts';
import { hexToBytes, utf8ToBytes } from '../../../protocol/signing/encoding.ts';
import { formatCheckpoint, readPolicy } from '../../../protocol/transparency/checkpoint.ts';
import { leafHashOf, originOf } from '../../../protocol/transparency/ledger-log.ts';
import { leafHash, rootOf } from '../../../protocol/transparency/merkle.ts';
import { inclusionProof } from '../../../protocol/transparency/merkle-proof.ts';
import { signNote } from '../../../protocol/transparency/note-signatures.ts';
import { encodeProofFile, verifyProofFile } from '../../../protocol/transparency/proof-file.ts';
import { testKey } from '../../../protocol/transparency/test-keys.ts';
import { TransparencyError } from '../../../protocol/transparency/transparency-error.ts';
import { formatVerifierKey, NOTE_TYPE } from '../../../protocol/transparency/verifier-key.ts';
import vectors from '../../../protocol/vectors/relayer-keys.json' with { type: 'json' };
import { createItemSigner } from '../ans104.ts';
import { chain, type Draft } from '../chain.ts';
import { checkFile } from '../test-proofs.ts';

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const privateKeyOf = (seed: Uint8Array) =>
  createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });

const origin = originOf(vectors.ledgerId as LedgerId);
const log = testKey(origin, NOTE_TYPE);
const vkey = formatVerifierKey(log.key);
const SEQ = 40;

/** A proof of the entry 40, which one of the keys of the vectors signed, after these changes of the key. */
function proofAfter(items: readonly string[], relayer: string, change = (item: Buffer) => item): string {
  const { secretKey = '' } = vectors.keys.find(({ publicKey }) => publicKey === relayer) ?? {};
  const signer = createItemSigner(privateKeyOf(hexToBytes(secretKey)), Buffer.from(relayer, 'hex'));
  const before = { epoch: 1, seq: SEQ - 1, id: 'A'.repeat(43) as never };
  const item = change(chain(signer, before, lock(), '2026-11-24T12:00:01.000Z').item);
  const id = createHash('sha256').update(item.subarray(2, 66)).digest('base64url') as TransactionId;
  const leaves = Array.from({ length: SEQ - 1 }, (_, index) => leafHash(Uint8Array.of(index)));
  leaves.push(leafHashOf(id));
  const text = formatCheckpoint({ origin, size: SEQ, root: rootOf(leaves), extensions: [] });
  const hashOf = ({ level, index }: { level: number; index: number }) =>
    rootOf(leaves.slice(index * 2 ** level, (index + 1) * 2 ** level));
  return encodeProofFile({
    item: new Uint8Array(item),
    succession: items.map(hexToBytes),
    index: SEQ - 1,
    path: inclusionProof(SEQ - 1, SEQ, hashOf),
    checkpoint: { text, signatures: [signNote(log.key, text, log.sign)] },
  });
}

function lock(): Draft {
  const seed = Buffer.alloc(32, 7);
  const message = { function: 'lockBEO', beoId: '6f1f64f5-cd0f-5d50-8f1c-6d3c8f5f0d7a', nonce: 'n', timestamp: 't' };
  const signature = sign(null, Buffer.from(canonicalJson(message)), privateKeyOf(seed)).toString('base64');
  return { function: 'lockBEO', entity_id: message.beoId, signer: publicKeyOf(seed), signature, message };
}

/** The keys that the last change could leave: the one that signed it, and the one that it names. */
function keysIn(items: readonly string[]): string[] {
  const last = Buffer.from(items.at(-1) ?? '', 'hex');
  const named = /"newKey":"([0-9a-f]{64})"/.exec(last.toString('latin1'))?.[1];
  return vectors.keys.map(({ publicKey }) => publicKey).filter((key) => key === named || last.includes(key, 'hex'));
}

/** What the service's code and the script decide. */
async function decisions(file: string) {
  const { status, text } = await checkFile(file, ['--log', vkey]);
  return { code: verified(file), script: status, failed: text.match(/^FAIL.*/m)?.[0] };
}

function verified(file: string): string {
  try {
    return String(verifyProofFile(utf8ToBytes(file), readPolicy({ log: [vkey], witnesses: [], quorum: 0 })).index);
  } catch (error) {
    if (error instanceof TransparencyError) return error.flaw;
    throw error;
  }
}

describe('the proof of an entry that a later key of the relayer signed', () => {
  test('is accepted and rejected by the script as the vectors say', async () => {
    for (const { name, file, result } of vectors.proofs) {
      const { status } = await checkFile(file, ['--log', vectors.log]);
      expect([name, status]).toEqual([name, result === 'valid' ? 0 : 1]);
    }
  });

  test.each(vectors.valid.map((vector) => [vector.name, vector] as const))(
    'is valid: %s',
    async (_, { items, keys }) => {
      const current = keys.at(-1)?.publicKey ?? '';
      expect(await decisions(proofAfter(items, current))).toEqual({ code: '39', script: 0 });
      for (const { publicKey } of vectors.keys) {
        if (publicKey === current) continue;
        expect(await decisions(proofAfter(items, publicKey))).toMatchObject({ code: 'item', script: 1 });
      }
    },
  );

  // A bundle contains only items.
  const bundled = vectors.invalid.filter(({ items }) => items.every((item) => item.startsWith('0200')));

  test.each(bundled.map((vector) => [vector.name, vector] as const))('is invalid with %s', async (_, { items }) => {
    for (const publicKey of keysIn(items)) {
      expect(await decisions(proofAfter(items, publicKey))).toMatchObject({ code: 'item', script: 1 });
    }
  });

  test('is invalid if the log contains an item that the relayer did not sign', async () => {
    const [none] = vectors.valid;
    for (const at of [10, 60, 101, 400]) {
      const changed = (item: Buffer) => Buffer.from(item.map((byte, index) => (index === at ? byte ^ 1 : byte)));
      const file = proofAfter(none?.items ?? [], vectors.firstKey, changed);
      expect(await decisions(file)).toMatchObject({ code: 'item', script: 1 });
    }
  });

  test('is invalid in a bundle that is cut off, has bytes left over, or does not have the ids of its index', async () => {
    const [items, current] = [vectors.valid[3]?.items ?? [], vectors.valid[3]?.keys.at(-1)?.publicKey ?? ''];
    const file = proofAfter(items, current);
    const encoded = /^extra (.+)$/m.exec(file)?.[1] ?? '';
    const bundle = Buffer.from(encoded, 'base64');
    const changed = (at: number, value: number) =>
      Buffer.from(bundle.map((byte, index) => (index === at ? value : byte)));
    const bundles = [
      bundle.subarray(0, -1),
      Buffer.concat([bundle, Buffer.of(0)]),
      changed(64, (bundle[64] ?? 0) ^ 1),
      changed(0, 2),
      changed(0, 0),
      changed(1, 9),
      changed(39, 1),
      bundle.subarray(0, 40),
      Buffer.alloc(32),
    ];
    expect(await decisions(file)).toEqual({ code: '39', script: 0 });
    for (const bytes of bundles) {
      const tampered = file.replace(encoded, bytes.toString('base64'));
      expect(await decisions(tampered)).toMatchObject({ code: expect.stringMatching(/item|malformed/), script: 1 });
    }
  });
});
