import { sign } from 'node:crypto';
import type { LedgerId } from '../../protocol/ids.ts';
import { originOf } from '../../protocol/transparency/ledger-log.ts';
import type { SignBytes } from '../../protocol/transparency/note-signatures.ts';
import { NOTE_TYPE, newVerifierKey, type VerifierKey } from '../../protocol/transparency/verifier-key.ts';
import type { KeyPair } from '../keys.ts';

/** The identity of the log of a ledger: its origin is the name of its key. */
export interface LogIdentity {
  readonly key: VerifierKey;
  readonly sign: SignBytes;
}

export const logIdentity = (ledgerId: LedgerId, { privateKey, publicKey }: KeyPair): LogIdentity => ({
  key: newVerifierKey(originOf(ledgerId), NOTE_TYPE, publicKey.toString('hex')),
  sign: (message) => sign(null, message, privateKey),
});
