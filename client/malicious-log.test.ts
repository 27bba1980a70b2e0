import { createHash, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ledgerIdOf } from '../protocol/ids.ts';
import { canonicalJson } from '../protocol/signing/canonical-json.ts';
import { utf8ToBytes } from '../protocol/signing/encoding.ts';
import { formatCheckpoint, parseSignedCheckpoint } from '../protocol/transparency/checkpoint.ts';
import { leafDataOf, originOf } from '../protocol/transparency/ledger-log.ts';
import type { HashOf } from '../protocol/transparency/merkle.ts';
import { consistencyProof, inclusionProof } from '../protocol/transparency/merkle-proof.ts';
import { addSignatures, formatNote, type Note, parseSignatures } from '../protocol/transparency/note.ts';
import { signNote } from '../protocol/transparency/note-signatures.ts';
import { encodeProofFile } from '../protocol/transparency/proof-file.ts';
import { testKey } from '../protocol/transparency/test-keys.ts';
import { NaiveTree, SecondWitness } from '../protocol/transparency/test-second-implementation.ts';
import { formatVerifierKey, NOTE_TYPE } from '../protocol/transparency/verifier-key.ts';
import { encodeAddCheckpoint } from '../protocol/transparency/witness.ts';
import { createItemSigner } from '../server/ledger/ans104.ts';
import { type ChainedEntry, chain, type Draft } from '../server/ledger/chain.ts';
import { newSigningKey } from '../server/platform/crypto/signed-request.ts';
import type { IntegrityError } from './errors.ts';
import { type LoggedEntry, verifyInclusionProof } from './proofs.ts';
import { readReceipt } from './receipts.ts';

/* A relayer that has its own keys and that of its log, and signs whatever it likes. Witnesses are of the second implementation. */

const relayer = newSigningKey();
const raw = Buffer.from(relayer.publicKey, 'hex');
const signer = createItemSigner(relayer.privateKey, raw);
const ledgerId = ledgerIdOf(raw.toString('hex'));
const log = testKey(originOf(ledgerId), NOTE_TYPE);
const holder = newSigningKey();
const holderKey = holder.publicKey;
const beoId = '6f1f64f5-cd0f-5d50-8f1c-6d3c8f5f0d7a';

function lock(nonce: string): Draft {
  const message = { function: 'lockBEO', beoId, nonce, timestamp: '2026-11-24T12:00:00.000Z' };
  const signature = sign(null, Buffer.from(canonicalJson(message)), holder.privateKey).toString('base64');
  return { function: 'lockBEO', entity_id: beoId, signer: holderKey, signature, message };
}

const AT = '2026-11-24T12:00:01.000Z';

/** A history: `shared` entries and then its own, up to `size`. */
function historyOf(name: string, size: number, shared: readonly ChainedEntry[] = [], at = AT): ChainedEntry[] {
  const entries = [...shared];
  while (entries.length < size) {
    const head = entries.at(-1) ?? { epoch: 1, seq: 0, id: null };
    entries.push(chain(signer, head, lock(`${name} ${head.seq + 1}`), at));
  }
  return entries;
}

const treeOf = (entries: readonly ChainedEntry[]) => new NaiveTree(entries.map(({ id }) => leafDataOf(id)));

const hashesOf =
  (tree: NaiveTree): HashOf =>
  ({ level, index }) =>
    tree.mth(index * 2 ** level, (index + 1) * 2 ** level);

/** The checkpoint of the first entries of a history, signed by the log. */
function checkpointOf(entries: readonly ChainedEntry[], size = entries.length): Note {
  const text = formatCheckpoint({ origin: log.key.name, size, root: treeOf(entries).mth(0, size), extensions: [] });
  return { text, signatures: [signNote(log.key, text, log.sign)] };
}

const witnessNamed = (name: string) =>
  new SecondWitness(name, createHash('sha256').update(name).digest(), [formatVerifierKey(log.key)]);

/** Asks a witness to cosign the checkpoint of a history, with the best proof that the history has. */
function cosignedBy(witness: SecondWitness, entries: readonly ChainedEntry[], note = checkpointOf(entries)) {
  const { size } = parseSignedCheckpoint(utf8ToBytes(formatNote(note))).checkpoint;
  const oldSize = Math.min(witness.last.get(log.key.name)?.size ?? 0, size);
  const proof = consistencyProof(oldSize, size, hashesOf(treeOf(entries)));
  const { status, body } = witness.answer(utf8ToBytes(encodeAddCheckpoint({ oldSize, proof, note })));
  return { status, note: status === 200 ? addSignatures(note, parseSignatures(utf8ToBytes(body))) : note, body };
}

const proofOf = (entries: readonly ChainedEntry[], seq: number, checkpoint: Note, size = entries.length): string =>
  encodeProofFile({
    item: new Uint8Array(entries[seq - 1]?.item ?? []),
    succession: [],
    index: seq - 1,
    path: inclusionProof(seq - 1, size, hashesOf(treeOf(entries))),
    checkpoint,
  });

/** What a client with a policy makes of a proof: the entry, or the flaw. */
function seenBy(witnesses: readonly SecondWitness[], proof: string, quorum = witnesses.length): LoggedEntry | string {
  try {
    return verifyInclusionProof(proof, {
      log: formatVerifierKey(log.key),
      witnesses: witnesses.map(({ vkey }) => vkey),
      quorum,
    });
  } catch (error) {
    return String((error as IntegrityError).details.flaw);
  }
}

const common = historyOf('common', 5);
const honest = historyOf('honest', 9, common);
const fork = historyOf('forged', 9, common);

describe('a log that forks', () => {
  test('gets no cosignature for the second history, and a client that requires one rejects its proofs', () => {
    const witness = witnessNamed('witness.example/1');
    const first = cosignedBy(witness, honest);
    const second = cosignedBy(witness, historyOf('forged', 12, fork));
    expect([first.status, second.status]).toEqual([200, 422]);
    expect(seenBy([witness], proofOf(honest, 7, first.note))).toMatchObject({ id: honest[6]?.id });
    expect(seenBy([witness], proofOf(fork, 7, checkpointOf(fork)))).toBe('witnesses');
    expect(seenBy([], proofOf(fork, 7, checkpointOf(fork)))).toMatchObject({ id: fork[6]?.id });
  });

  test('cannot move a cosignature to the second history', () => {
    const witness = witnessNamed('witness.example/1');
    const { note } = cosignedBy(witness, honest);
    const moved = addSignatures(checkpointOf(fork), note.signatures.slice(1));
    expect(seenBy([witness], proofOf(fork, 7, moved))).toBe('signature');
  });

  test('signs two checkpoints of one size, which prove the fork to anyone; no witness cosigns both', () => {
    const witness = witnessNamed('witness.example/1');
    const notes = [checkpointOf(honest), checkpointOf(fork)];
    expect(notes.map((note) => cosignedBy(witness, note === notes[0] ? honest : fork, note).status)).toEqual([
      200, 422,
    ]);
    const checkpoints = notes.map((note) => parseSignedCheckpoint(utf8ToBytes(formatNote(note))).checkpoint);
    expect(checkpoints[0]?.size).toBe(checkpoints[1]?.size);
    expect(checkpoints[0]?.root).not.toEqual(checkpoints[1]?.root);
    // Both are signed by the log, so it cannot deny either.
    expect(seenBy([], proofOf(honest, 7, notes[0] as Note))).toBeTypeOf('object');
    expect(seenBy([], proofOf(fork, 7, notes[1] as Note))).toBeTypeOf('object');
  });

  test('can deceive clients whose quorum is not more than half of the witnesses, and no others', () => {
    const witnesses = ['one', 'two', 'three', 'four'].map((name) => witnessNamed(`witness.example/${name}`));
    const show = (entries: readonly ChainedEntry[], to: readonly SecondWitness[]) =>
      to.reduce((note, witness) => cosignedBy(witness, entries, note).note, checkpointOf(entries));
    const views = [show(honest, witnesses.slice(0, 2)), show(fork, witnesses.slice(2))] as const;
    const accepted = (quorum: number) =>
      [proofOf(honest, 7, views[0]), proofOf(fork, 7, views[1])].map((proof) => seenBy(witnesses, proof, quorum));
    expect(accepted(2)).toMatchObject([{ id: honest[6]?.id }, { id: fork[6]?.id }]);
    expect(accepted(3)).toEqual(['witnesses', 'witnesses']);
  });
});

describe('a log that goes back', () => {
  test('gets no cosignature for a smaller tree, and learns the size that the witness has seen', () => {
    const witness = witnessNamed('witness.example/1');
    cosignedBy(witness, honest);
    const { status, body } = cosignedBy(witness, honest.slice(0, 6));
    expect([status, body]).toEqual([409, '9\n']);
  });

  test('cannot replace or leave out an entry that a witness has seen', () => {
    const witness = witnessNamed('witness.example/1');
    cosignedBy(witness, honest);
    const [, ...without] = honest;
    const later = historyOf('later', 12, honest).slice(9);
    for (const entries of [
      [...without, ...later],
      [...fork, ...later],
      [...honest.slice(0, 8), ...later],
    ]) {
      expect(cosignedBy(witness, entries).status).toBe(422);
    }
    expect(cosignedBy(witness, [...honest, ...later]).status).toBe(200);
  });

  test('has no proof for an entry of which somebody has the receipt, or proves another one in its place', () => {
    const receipt = honest[8]?.item.toString('base64') ?? '';
    const entry = readReceipt(receipt, ledgerId);
    const smaller = checkpointOf(honest, 6);
    const path = proofOf(honest.slice(0, 6), 6, smaller);
    const outside = path.replace(/^extra .*$/m, `extra ${receipt}`).replace(/^index \d+$/m, 'index 8');
    expect(seenBy([], outside)).toBe('inclusion');
    const other = seenBy([], proofOf(fork, 9, checkpointOf(fork))) as LoggedEntry;
    // Two items of the relayer with one epoch and seq: the evidence.
    expect([other.epoch, other.seq]).toEqual([entry.epoch, entry.seq]);
    expect(other.id).not.toBe(entry.id);
  });
});

describe('a log whose tree is not the ledger', () => {
  test('proves no entry whose place was exchanged', () => {
    const reordered = [...honest.slice(0, 5), honest[6], honest[5], ...honest.slice(7)] as ChainedEntry[];
    const checkpoint = checkpointOf(reordered);
    expect([6, 7].map((seq) => seenBy([], proofOf(reordered, seq, checkpoint)))).toEqual(['place', 'place']);
    expect(seenBy([], proofOf(reordered, 5, checkpoint))).toMatchObject({ seq: 5 });
  });

  test('proves no entry that the relayer signed again, with another time, to whoever has the receipt', () => {
    const again = historyOf('honest', 9, common, '2026-11-20T12:00:00.000Z');
    const receipt = readReceipt(honest[6]?.item.toString('base64') ?? '', ledgerId);
    const shown = seenBy([], proofOf(again, 7, checkpointOf(again))) as LoggedEntry;
    expect([shown.seq, shown.message]).toEqual([receipt.seq, receipt.message]);
    expect([shown.id === receipt.id, shown.acceptedAt === receipt.acceptedAt]).toEqual([false, false]);
    const witness = witnessNamed('witness.example/1');
    cosignedBy(witness, honest);
    expect(cosignedBy(witness, historyOf('later', 12, again)).status).toBe(422);
  });
});

describe('a log that withholds checkpoints', () => {
  test('cannot renew an old one: the time of a cosignature is signed', () => {
    const witness = witnessNamed('witness.example/1');
    const { note } = cosignedBy(witness, honest);
    const [own, cosignature] = note.signatures;
    if (!own || !cosignature) throw new Error('The log and the witness signed.');
    const before = seenBy([witness], proofOf(honest, 3, note)) as LoggedEntry;
    const age = Date.now() / 1_000 - (before.checkpoint.cosignedBy[0]?.at ?? 0);
    expect(Math.abs(age)).toBeLessThan(3_600);
    const bytes = Uint8Array.from(cosignature.bytes);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(Math.floor(Date.now() / 1_000) + 86_400));
    const renewed = { ...note, signatures: [own, { ...cosignature, bytes }] };
    expect(seenBy([witness], proofOf(honest, 3, renewed))).toBe('signature');
  });
});
