import type { Pool } from 'pg';
import { toBase64 } from '../../protocol/signing/encoding.ts';
import {
  type CheckpointPolicy,
  formatCheckpoint,
  type VerifiedCheckpoint,
  verifyCheckpoint,
} from '../../protocol/transparency/checkpoint.ts';
import { formatNote, type Note, type NoteSignature } from '../../protocol/transparency/note.ts';
import { TransparencyError } from '../../protocol/transparency/transparency-error.ts';
import type { VerifierKey } from '../../protocol/transparency/verifier-key.ts';
import { adoptCheckpoint, readCheckpoint, readCheckpointOfSize } from '../../server/ledger/transparency/checkpoints.ts';
import type { PublicLog } from '../../server/ledger/transparency/log-identity.ts';
import { verifyNatively } from '../../server/platform/crypto/ed25519.ts';
import type { Breach } from './verifier.ts';

/** `doubtful`: something is missing or wrong that proves nothing. */
export type CheckpointComparison =
  | { readonly kind: 'verified' }
  /** It has entries that the mirror does not have yet. */
  | { readonly kind: 'ahead'; readonly signed: VerifiedCheckpoint }
  | { readonly kind: 'doubtful'; readonly sentence: string }
  | { readonly kind: 'breach'; readonly breach: Breach };

/** A timestamp and an Ed25519 signature. */
const COSIGNATURE_BYTES = 72;

/**
 * Compares a checkpoint of the log with the verified entries, and serves it from then on if they have its root.
 * @param verifiedTo the seq of the last verified entry
 */
export async function compareCheckpoint(
  pool: Pool,
  policy: CheckpointPolicy,
  text: string,
  verifiedTo: number,
): Promise<CheckpointComparison> {
  let signed: VerifiedCheckpoint;
  try {
    signed = verifyCheckpoint(Buffer.from(text), { ...policy, quorum: 0 }, verifyNatively);
  } catch (error) {
    if (!(error instanceof TransparencyError)) throw error;
    return doubtful(`The service serves a checkpoint that is not valid: ${error.message}`);
  }
  const { checkpoint, note, cosignatures } = signed;
  const { size, root } = checkpoint;
  if (note.text !== formatCheckpoint({ ...checkpoint, extensions: [] }))
    return doubtful('The service serves a checkpoint with lines that this log does not write.');
  const [key] = policy.logKeys;
  if (!key) throw new Error('The policy has no key of the log.');
  const signatures = servedSignatures(note, key);
  if (size > verifiedTo) return { kind: 'ahead', signed: { ...signed, note: { text: note.text, signatures } } };
  const log: PublicLog = { key, witnesses: [] };
  const newest = await readCheckpoint(pool, log);
  const ofEntries = await adoptCheckpoint(pool, { size, root, signatures });
  if (ofEntries) {
    const before = await readCheckpointOfSize(pool, log, size);
    const roots = `the root ${toBase64(root)}, but the entries have ${toBase64(ofEntries)}`;
    return before
      ? splitViewBreach(size, [before, note])
      : breach('checkpoint', `The checkpoint of ${size} entries has ${roots}.`, [note]);
  }
  if (newest && size < newest.size)
    return doubtful(`The service serves a checkpoint of ${size} entries, after one of ${newest.size}.`);
  if (cosignatures.length < policy.quorum) {
    return doubtful(
      `${cosignatures.length} of ${policy.witnesses.length} witnesses cosigned the checkpoint of ${size} entries; ${policy.quorum} are required.`,
    );
  }
  return { kind: 'verified' };
}

/** Two checkpoints of one size with different roots. */
export const splitViewBreach = (
  size: number,
  notes: readonly [Note, Note],
): CheckpointComparison & { kind: 'breach' } =>
  breach('split', `The log signed two trees of ${size} entries with different roots.`, notes);

/** That of the log, and what may be cosignatures: a service could add others without end. */
const servedSignatures = ({ signatures }: Note, log: VerifierKey): NoteSignature[] =>
  signatures.filter(
    ({ name, keyId, bytes }) => (name === log.name && keyId === log.keyId) || bytes.length === COSIGNATURE_BYTES,
  );

const doubtful = (sentence: string): CheckpointComparison => ({ kind: 'doubtful', sentence });

const breach = (
  kind: 'checkpoint' | 'split',
  sentence: string,
  notes: readonly Note[],
): CheckpointComparison & { kind: 'breach' } => ({
  kind: 'breach',
  breach: { kind, sentence, finding: 'CHECKPOINT', items: [], heads: [], checkpoints: notes.map(formatNote) },
});
