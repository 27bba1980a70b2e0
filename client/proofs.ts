import { checkProof } from '../protocol/ledger/check-proof.ts';
import { toBase64, utf8ToBytes } from '../protocol/signing/encoding.ts';
import { type CheckpointPolicy, readPolicy } from '../protocol/transparency/checkpoint.ts';
import { ledgerIdOfOrigin } from '../protocol/transparency/ledger-log.ts';
import { decodeProofFile, verifyProofFile } from '../protocol/transparency/proof-file.ts';
import { TransparencyError } from '../protocol/transparency/transparency-error.ts';
import { IntegrityError } from './errors.ts';
import { type Entry, readReceipt } from './receipts.ts';
import type { Proof } from './types.ts';

/**
 * Verifies the proof of one operation offline: the entry, its place, the chain of the entries after it up to the signed head.
 * @param ledgerId the ledger that you trust
 * @throws {IntegrityError} PROOF_INVALID or RECEIPT_INVALID, with the failed step in `details`
 */
export function verifyProof(proof: Proof, ledgerId: string): Entry {
  if (proof.ledger_id !== ledgerId) throw invalid('it is of another ledger', { ledger_id: proof.ledger_id });
  for (const step of stepsOf(proof)) {
    if (step.verdict === 'bad') throw invalid(`the step "${step.name}" fails`, { step: step.name, facts: step.facts });
  }
  return readReceipt(proof.item, ledgerId, proof.id, proof.relayer_keys);
}

function* stepsOf(proof: Proof) {
  try {
    yield* checkProof(proof);
  } catch (error) {
    throw invalid(`it is malformed: ${(error as Error).message}`, {});
  }
}

/** Which checkpoints count: keys as vkeys of C2SP signed-note. */
export interface ProofPolicy {
  /** The key of the log: `checkpoint_key` of the ledger, from a source that you trust. It names the ledger. */
  readonly log: string;
  readonly witnesses?: readonly string[];
  /** How many of the witnesses must have cosigned; by default all. */
  readonly quorum?: number;
}

/** An entry that is in the transparency log, and the checkpoint that shows it. */
export interface LoggedEntry extends Entry {
  readonly checkpoint: {
    /** The number of entries in the tree. */
    readonly size: number;
    /** The root of the tree, base64. */
    readonly root: string;
    /** The witnesses of the policy that cosigned it, with the time that each states, in seconds since 1970. */
    readonly cosignedBy: readonly { readonly name: string; readonly at: number }[];
  };
}

/**
 * Verifies offline that an entry is in the transparency log of a ledger, under a checkpoint that meets the policy.
 * @param proof the text that getInclusionProof returns: C2SP tlog-proof
 * @throws {IntegrityError} PROOF_INVALID, with what is wrong as `flaw` in `details`
 */
export function verifyInclusionProof(proof: string, policy: ProofPolicy): LoggedEntry {
  const { log, witnesses = [], quorum = witnesses.length } = policy;
  const bytes = utf8ToBytes(proof);
  try {
    const read: CheckpointPolicy = readPolicy({ log: [log], witnesses, quorum });
    const { id, checkpoint, cosignatures } = verifyProofFile(bytes, read);
    const { item, succession } = decodeProofFile(bytes);
    const entry = readReceipt(toBase64(item), ledgerIdOfOrigin(read.origin) ?? '', id, succession.map(toBase64));
    const cosignedBy = cosignatures.map(({ key, timestamp }) => ({ name: key.name, at: timestamp ?? 0 }));
    return { ...entry, checkpoint: { size: checkpoint.size, root: toBase64(checkpoint.root), cosignedBy } };
  } catch (error) {
    if (!(error instanceof TransparencyError)) throw error;
    throw new IntegrityError('PROOF_INVALID', `The proof is not valid. ${error.message}`, { flaw: error.flaw });
  }
}

const invalid = (problem: string, details: Readonly<Record<string, unknown>>): IntegrityError =>
  new IntegrityError('PROOF_INVALID', `The proof is not valid: ${problem}.`, details);
