import { checkEntry, type Step, type Verdict } from '../ledger/check-proof.ts';
import { attempt } from '../ledger/proven-entry.ts';
import { toBase64 } from '../signing/encoding.ts';
import { type Checkpoint, type CheckpointPolicy, parseCheckpoint } from './checkpoint.ts';
import { leafHashOf, leafIndexOf, ledgerIdOfOrigin } from './ledger-log.ts';
import { isIncluded } from './merkle-proof.ts';
import type { Note } from './note.ts';
import { type VerifiedSignature, verifyNote } from './note-signatures.ts';
import { decodeProofFile, type ProofFile, statedIn } from './proof-file.ts';
import { formatVerifierKey, type VerifierKey } from './verifier-key.ts';

/** The steps after those about the entry itself. */
export const LOG_STEPS = ['checkpoint', 'witnesses', 'inclusion'] as const;

/** The values that a step compared, as text: base64, numbers, verifier keys. */
export type LogFact = 'log' | 'logKey' | 'treeSize' | 'root' | 'leafIndex' | 'path';

export interface LogStep {
  readonly name: (typeof LOG_STEPS)[number];
  readonly verdict: Verdict;
  /** The result in detail: selects the sentence that the page shows for the step. `none`: there is no witness; `few`: half or less. */
  readonly case: 'good' | 'bad' | 'malformed' | 'none' | 'few';
  readonly facts: readonly (readonly [LogFact, string])[];
  /** How many witnesses cosigned, or hashes are in the proof. */
  readonly checked?: number;
  /** How many witnesses there are, or entries in the tree. */
  readonly of?: number;
  /** Only for the step `witnesses`: all of the policy, with the time that each states, in seconds since 1970. */
  readonly cosigners?: readonly { readonly name: string; readonly at: number | null }[];
}

/**
 * Checks a proof file step by step, for a person to follow; verifyProofFile decides the same with one result. The quorum of the policy is
 * not used: the step `witnesses` requires more than half of the witnesses. Stops early if the file or its entry is malformed.
 * @param id the entry that the proof should be of
 */
export function* checkProofFile(bytes: Uint8Array, policy: CheckpointPolicy, id: string): Generator<Step | LogStep> {
  const file = attempt(() => decodeProofFile(bytes));
  const ledgerId = ledgerIdOfOrigin(policy.origin);
  const checkpoint = file && attempt(() => parseCheckpoint(file.checkpoint.text));
  const stated = file && ledgerId && attempt(() => statedIn(file, ledgerId));
  if (!checkpoint || !stated) {
    yield { name: 'checkpoint', verdict: 'bad', case: 'malformed', facts: [] };
    return;
  }
  const entry = yield* checkEntry({ ...stated, id });
  if (!entry) return;
  yield checkpointStep(file.checkpoint, checkpoint, policy);
  yield witnessStep(file.checkpoint, policy.witnesses);
  const isInPlace = leafIndexOf(entry.seq) === file.index;
  yield inclusionStep(file, checkpoint, isInPlace && provesEntry(file, checkpoint, stated));
}

function checkpointStep(
  note: Note,
  { origin, size, root }: Checkpoint,
  { origin: expected, logKeys }: CheckpointPolicy,
): LogStep {
  const signatures = attempt(() => verifyNote(note, logKeys));
  const good = origin === expected && signatures !== null && signatures.length > 0;
  const facts: LogStep['facts'] = [
    ['log', origin],
    ...logKeys.map((key) => ['logKey', formatVerifierKey(key)] as const),
    ['treeSize', String(size)],
    ['root', toBase64(root)],
  ];
  return { name: 'checkpoint', verdict: good ? 'good' : 'bad', case: good ? 'good' : 'bad', facts, of: size };
}

function witnessStep(note: Note, witnesses: readonly VerifierKey[]): LogStep {
  const verified = attempt(() => verifyNote(note, witnesses));
  const step = { name: 'witnesses', facts: [], of: witnesses.length } as const;
  if (verified === null) return { ...step, verdict: 'bad', case: 'bad' };
  const cosigners = witnesses.map((key) => ({ name: key.name, at: timeOf(key, verified) }));
  const checked = verified.length;
  // With half of them, a log could show another history to each half.
  const enough = 2 * checked > witnesses.length;
  const which = witnesses.length === 0 ? 'none' : enough ? 'good' : 'few';
  return { ...step, verdict: enough ? 'good' : 'unchecked', case: which, checked, cosigners };
}

const timeOf = (key: VerifierKey, verified: readonly VerifiedSignature[]): number | null =>
  verified.find((signature) => signature.key === key)?.timestamp ?? null;

const provesEntry = (
  { index, path }: ProofFile,
  { size, root }: Checkpoint,
  { id }: ReturnType<typeof statedIn>,
): boolean => isIncluded({ index, size, leafHash: leafHashOf(id), root, proof: path });

function inclusionStep({ index, path }: ProofFile, { size }: Checkpoint, good: boolean): LogStep {
  const facts: LogStep['facts'] = [
    ['leafIndex', String(index)],
    ['path', path.map(toBase64).join('\n')],
  ];
  const which = good ? 'good' : 'bad';
  return { name: 'inclusion', verdict: which, case: which, facts, checked: path.length, of: size };
}
