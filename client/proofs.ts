import { checkProof } from '../protocol/ledger/check-proof.ts';
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
  return readReceipt(proof.item, ledgerId, proof.id);
}

function* stepsOf(proof: Proof) {
  try {
    yield* checkProof(proof);
  } catch (error) {
    throw invalid(`it is malformed: ${(error as Error).message}`, {});
  }
}

const invalid = (problem: string, details: Readonly<Record<string, unknown>>): IntegrityError =>
  new IntegrityError('PROOF_INVALID', `The proof is not valid: ${problem}.`, details);
