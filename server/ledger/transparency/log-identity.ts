import { sign } from 'node:crypto';
import type { LedgerId } from '../../../protocol/ids.ts';
import { originOf } from '../../../protocol/transparency/ledger-log.ts';
import type { SignBytes } from '../../../protocol/transparency/note-signatures.ts';
import { NOTE_TYPE, newVerifierKey, type VerifierKey } from '../../../protocol/transparency/verifier-key.ts';
import type { KeyPair } from '../../platform/data-folder/key-files.ts';
import type { Witness } from '../../settings/witness-list.ts';

/** The identity of the log of a ledger: its origin is the name of its key. */
export interface LogIdentity {
  readonly key: VerifierKey;
  readonly sign: SignBytes;
  /** Who is asked to cosign, and whose cosignatures are served. */
  readonly witnesses: readonly Witness[];
}

/** What reading a checkpoint needs. */
export type PublicLog = Pick<LogIdentity, 'key' | 'witnesses'>;

export const logIdentity = (
  ledgerId: LedgerId,
  { privateKey, publicKey }: KeyPair,
  witnesses: readonly Witness[] = [],
): LogIdentity => ({
  key: newVerifierKey(originOf(ledgerId), NOTE_TYPE, publicKey.toString('hex')),
  sign: (message) => sign(null, message, privateKey),
  witnesses,
});
