import { z } from 'zod';
import type { LedgerId } from '../../protocol/ids.ts';
import { BEGIN_EPOCH, readEpochBeginning } from '../../protocol/ledger/epoch.ts';
import { type ProvenEntry, readEntry } from '../../protocol/ledger/proven-entry.ts';
import { keyAt, keysOfHead, type Succession } from '../../protocol/ledger/relayer-keys.ts';
import { InvalidSuccession, verifySuccession } from '../../protocol/ledger/succession.ts';
import { canonicalJson } from '../../protocol/signing/canonical-json.ts';
import { toBase64 } from '../../protocol/signing/encoding.ts';
import { type Checkpoint, readPolicy, verifyCheckpoint } from '../../protocol/transparency/checkpoint.ts';
import { originOf } from '../../protocol/transparency/ledger-log.ts';
import { isSameHash } from '../../protocol/transparency/merkle.ts';
import { MAX_NOTE_BYTES } from '../../protocol/transparency/note.ts';
import { TransparencyError } from '../../protocol/transparency/transparency-error.ts';
import { encodeBundle, parseItem } from '../../server/ledger/ans104.ts';
import { signedHead } from '../../server/ledger/read.ts';
import { isStrictPublicKeyNatively, signatureBytes, verifyNatively } from '../../server/platform/crypto/ed25519.ts';
import { checkBundle } from '../audit/check-bundle.ts';
import { FINDING_KINDS, type FindingKind } from '../audit/findings.ts';

export const EVIDENCE_FORMAT = 'perpetua-evidence-1';

/** What a file shows. Each kind but the UNPROVEN is proven by its signatures alone. docs/transparency.md, "Evidence". */
export const EVIDENCE_KINDS = {
  equivocation: 'two different entries for one place',
  fork: 'an entry that names another predecessor than the one that the relayer signed',
  abandoned: 'an acknowledged entry that a later epoch leaves out',
  backdated: 'an entry that was accepted before its predecessor',
  head: 'a signed head that contradicts a signed entry or another signed head',
  rollback: 'a signed head that ends before an older entry',
  split: 'two trees of one size with different roots',
  checkpoint: 'a tree that is not that of the entries',
  entry: 'an entry that breaks the rules for each entry',
  state: 'an entry that the state of the ledger does not allow',
  posting: 'an entry that was posted too late, or dated after its block',
} as const;

export type EvidenceKind = keyof typeof EVIDENCE_KINDS;

/** What only the whole ledger, or the network, decides. */
const UNPROVEN: readonly EvidenceKind[] = ['checkpoint', 'state', 'posting'];

const evidenceShape = z.strictObject({
  format: z.literal(EVIDENCE_FORMAT),
  kind: z.enum(Object.keys(EVIDENCE_KINDS) as [EvidenceKind, ...EvidenceKind[]]),
  sentence: z.string().max(2_000),
  found_at: z.iso.datetime(),
  ledger_id: z.string().regex(/^[0-9a-f]{64}$/),
  relayer_public_key: z.string().regex(/^[0-9a-f]{64}$/),
  relayer_keys: z.array(z.base64()).max(1_000),
  finding: z.enum(Object.keys(FINDING_KINDS) as [FindingKind, ...FindingKind[]]).nullable(),
  items: z.array(z.base64()).max(2),
  heads: z.array(signedHead).max(2),
  checkpoint_key: z.string().max(1_000).nullable().default(null),
  checkpoints: z.array(z.string().max(MAX_NOTE_BYTES)).max(2).default([]),
});

/**
 * A file of evidence. `relayer_public_key` is the first key, `relayer_keys` the items that lead to the later ones, `checkpoint_key` the
 * verifier key of the log.
 */
export type Evidence = z.output<typeof evidenceShape>;

/** `unproven`: the file is genuine, but only a replay of the ledger decides. `invalid`: it proves nothing. */
export interface EvidenceVerdict {
  readonly verdict: 'proven' | 'unproven' | 'invalid';
  readonly sentence: string;
}

/** A head is read, and an entry committed, within seconds of the time that it states. */
export const HEAD_MARGIN_MS = 60_000;

class Refuted extends Error {}

/**
 * Checks a file of evidence offline: that the relayer of this ledger signed each part, and that the parts contradict each other or
 * the rules. Signatures, not the one who made the file, are what it relies on.
 */
export function checkEvidence(text: string): EvidenceVerdict {
  try {
    const parsed = evidenceShape.safeParse(JSON.parse(text));
    if (!parsed.success) throw new Refuted(`It is not a file of the format ${EVIDENCE_FORMAT}.`);
    const evidence = parsed.data;
    const keys = keysOf(evidence);
    const entries = evidence.items.map((item) => signedEntry(Buffer.from(item, 'base64'), keys, evidence.ledger_id));
    for (const head of evidence.heads) requireSignedHead(head, evidence.ledger_id, keys);
    return {
      verdict: UNPROVEN.includes(evidence.kind) ? 'unproven' : 'proven',
      sentence: CHECKS[evidence.kind](evidence, entries),
    };
  } catch (error) {
    if (error instanceof Refuted) return { verdict: 'invalid', sentence: error.message };
    if (error instanceof SyntaxError) return { verdict: 'invalid', sentence: 'It is not JSON.' };
    throw error;
  }
}

interface SignedEntry extends ProvenEntry {
  readonly id: string;
  readonly bytes: Buffer;
}

type Head = Evidence['heads'][number];
type Check = (evidence: Evidence, entries: readonly SignedEntry[]) => string;

const CHECKS: Readonly<Record<EvidenceKind, Check>> = {
  equivocation(_, entries) {
    const [one, other] = pairOf(entries);
    require(one.epoch === other.epoch && one.seq === other.seq, 'The entries are not for the same place.');
    require(one.id !== other.id, 'The entries are the same one.');
    return `The relayer signed two entries for epoch ${one.epoch}, seq ${one.seq}: ${one.id} and ${other.id}.`;
  },
  fork(_, entries) {
    const [before, after] = pairOf(entries);
    require(before.epoch === after.epoch &&
      after.seq === before.seq + 1, 'The second entry is not the next of the first.');
    require(after.function !== BEGIN_EPOCH, 'The second entry begins an epoch.');
    require(after.prev !== before.id, 'The second entry names the first one.');
    return `The relayer signed ${before.id} as entry ${before.seq}, and entry ${after.seq} of the same epoch that names ${after.prev}.`;
  },
  abandoned(_, entries) {
    const [left, beginning] = pairOf(entries);
    const message = readEpochBeginning(beginning.message);
    require(message !== null && beginning.function === BEGIN_EPOCH, 'The second entry does not begin an epoch.');
    require(beginning.epoch > left.epoch, 'The second entry does not begin a later epoch than that of the first.');
    const leavesOut = beginning.seq <= left.seq || (beginning.seq === left.seq + 1 && beginning.prev !== left.id);
    require(leavesOut, 'The second entry does not leave out the first one.');
    return `The relayer acknowledged entry ${left.seq} of epoch ${left.epoch} (${left.id}), but epoch ${beginning.epoch} leaves it out.`;
  },
  backdated(_, entries) {
    const [before, after] = pairOf(entries);
    require(after.seq === before.seq + 1 && after.prev === before.id, 'The second entry does not name the first one.');
    require(Date.parse(after.accepted_at) <
      Date.parse(before.accepted_at), 'The second entry was not accepted earlier.');
    return `Entry ${after.seq} was accepted at ${after.accepted_at}, before its predecessor at ${before.accepted_at}.`;
  },
  head({ heads }, entries) {
    const places = [...heads, ...entries];
    require(places.length === 2 && heads.length > 0, 'It needs a head and an entry, or two heads.');
    const [one, other] = places as [Head, Head];
    require(one.epoch === other.epoch && one.seq === other.seq, 'The head is not for the same place.');
    require(one.id !== other.id, 'The head does not contradict the other.');
    return `The relayer signed a head with ${one.id} as entry ${one.seq} of epoch ${one.epoch}, and also ${other.id}.`;
  },
  rollback({ heads }, entries) {
    const head = heads.at(-1);
    const earlier = entries[0] ?? heads[0];
    require(head !== undefined &&
      earlier !== undefined &&
      heads.length + entries.length === 2, 'It needs a head, and an entry or an earlier head.');
    const at = 'at' in earlier ? earlier.at : earlier.accepted_at;
    require(isBefore(head, earlier), 'The head does not end before the entry.');
    require(Date.parse(head.at) >= Date.parse(at) + HEAD_MARGIN_MS, 'The head is not clearly later than the entry.');
    return `The relayer signed at ${head.at} that the ledger ends with entry ${head.seq} of epoch ${head.epoch}, after entry ${earlier.seq} of epoch ${earlier.epoch} at ${at}.`;
  },
  split(evidence) {
    const [one, other] = checkpointsOf(evidence);
    require(one !== undefined && other !== undefined, 'It needs two checkpoints.');
    require(one.size === other.size, 'The checkpoints are of different sizes.');
    require(!isSameHash(one.root, other.root), 'The checkpoints have the same root.');
    return `The key ${evidence.checkpoint_key} signed two trees of ${one.size} entries: ${toBase64(one.root)} and ${toBase64(other.root)}. Make sure that it is the key of the log.`;
  },
  checkpoint(evidence) {
    const [checkpoint] = checkpointsOf(evidence);
    require(checkpoint !== undefined, 'It needs a checkpoint.');
    return `The key ${evidence.checkpoint_key} signed that the first ${checkpoint.size} entries have the root ${toBase64(checkpoint.root)}. Whether they do needs the whole ledger (npm run verify): ${evidence.sentence}`;
  },
  entry({ finding, ledger_id, relayer_public_key }, entries) {
    const [entry] = entries;
    require(entry !== undefined && entries.length === 1, 'It needs one entry.');
    const rules = { relayerKey: relayer_public_key, ledgerId: ledger_id as never, suffix: null };
    const checked = checkBundle(encodeBundle([entry]), rules);
    const problem = checked.items[0]?.problems.find(({ kind }) => kind === finding);
    require(problem !== undefined, 'The entry does not break this rule.');
    return `The relayer signed entry ${entry.seq} of epoch ${entry.epoch} (${entry.id}): ${problem.sentence}`;
  },
  state({ sentence }, entries) {
    const [entry] = entries;
    require(entry !== undefined, 'It needs an entry.');
    return `The relayer signed entry ${entry.seq} of epoch ${entry.epoch} (${entry.id}). Whether the state allows it needs the whole ledger (npm run verify): ${sentence}`;
  },
  posting({ sentence }, entries) {
    const [entry] = entries;
    require(entry !== undefined, 'It needs an entry.');
    return `The relayer signed entry ${entry.seq} of epoch ${entry.epoch} (${entry.id}), accepted at ${entry.accepted_at}. When it was mined needs the network (npm run verify): ${sentence}`;
  },
};

/** An epoch can begin at a lower seq than the one before it reached, so only places of one epoch, or a lower epoch, are earlier. */
const isBefore = (head: { epoch: number; seq: number }, than: { epoch: number; seq: number }): boolean =>
  head.epoch < than.epoch || (head.epoch === than.epoch && head.seq < than.seq);

function require(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Refuted(sentence);
}

function pairOf(entries: readonly SignedEntry[]): readonly [SignedEntry, SignedEntry] {
  const [one, other] = entries;
  require(one !== undefined && other !== undefined, 'It needs two entries.');
  return [one, other];
}

/** The checkpoints, each signed by the key of the log that the file names. */
function checkpointsOf({ checkpoint_key: key, ledger_id, checkpoints }: Evidence): readonly Checkpoint[] {
  try {
    const policy = readPolicy({ log: key === null ? [] : [key], witnesses: [], quorum: 0 });
    require(policy.origin === originOf(ledger_id as LedgerId), 'Its checkpoint key is that of another log.');
    return checkpoints.map((note) => verifyCheckpoint(Buffer.from(note), policy, verifyNatively).checkpoint);
  } catch (error) {
    if (error instanceof TransparencyError) throw new Refuted(error.message);
    throw error;
  }
}

/** The keys that the relayer of this ledger has had. What a replaced key signs for a later place proves nothing. */
function keysOf({ ledger_id, relayer_public_key, relayer_keys }: Evidence): Succession {
  try {
    const items = relayer_keys.map((item) => Buffer.from(item, 'base64'));
    return verifySuccession(ledger_id, items, relayer_public_key);
  } catch (error) {
    if (!(error instanceof InvalidSuccession)) throw error;
    throw new Refuted(`Its keys are not those of the ledger: ${error.message}`);
  }
}

function signedEntry(bytes: Buffer, keys: Succession, ledgerId: string): SignedEntry {
  const rules = { relayerKey: keys.keys[0].publicKey, ledgerId: ledgerId as never, suffix: null };
  try {
    const { id, owner, signatureType } = parseItem(bytes);
    const [checked] = checkBundle(encodeBundle([{ id, bytes }]), rules).items;
    const entry = readEntry(parseItem(bytes));
    require(entry !== null, `The item ${id} has no entry.`);
    require(signatureType === 2 &&
      checked?.genuine === true &&
      keyAt(keys, entry.seq) ===
        Buffer.from(owner).toString('hex'), `The item ${id} is not signed by the relayer of this ledger.`);
    return { ...entry, id, bytes };
  } catch (error) {
    if (error instanceof Refuted) throw error;
    throw new Refuted('An item is not a data item with an entry.');
  }
}

function requireSignedHead(head: Head, ledgerId: string, keys: Succession): void {
  require(keysOfHead(keys, head.seq).some((key) =>
    isSignedHead(head, ledgerId, key),
  ), 'A head is not signed by the relayer of this ledger.');
}

/** Whether a key signed the head of a ledger, as in GET /api/ledger. */
export function isSignedHead({ signature, ...place }: Head, ledgerId: string, key: string): boolean {
  const bytes = signatureBytes(signature);
  const signed = Buffer.from(canonicalJson({ ledger_id: ledgerId, ...place }));
  return bytes !== null && isStrictPublicKeyNatively(key) && verifyNatively(key, signed, bytes);
}
