import type { CheckedEntry } from './checked.ts';
import type { ReplayResult } from './replay.ts';

/** Entries by what could be checked of them. What was only read is never counted as verified. */
export interface Tally {
  entries: number;
  /** A public user signature that is good, by the key the state says. */
  verifiedSignatures: number;
  /** A public user signature of which that cannot be said. */
  unverifiedSignatures: number;
  /** A public signature that is good, of a guardian for whose key the holder has never signed in public. */
  assertedSignatures: number;
  /** Identities that moved to a new key by two guardians, for whose keys the holder had signed in public. */
  confirmedRecoveries: number;
  /** The same with a guardian of whom only the relayer says that the holder has chosen them. */
  assertedRecoveries: number;
  /** A user's signature behind a digest: the relayer's signature and the digest are there, nothing more is known. */
  sealed: number;
  /** Decided by the institute, as the relayer says: it holds the institute's keys, and nothing is signed with them. */
  institute: number;
  /** Nobody but the relayer signed. */
  relayerOnly: number;
  /** Behind a gap: checked by themselves, but not replayed. */
  notReplayed: number;
}

export const emptyTally = (): Tally => ({
  entries: 0,
  verifiedSignatures: 0,
  unverifiedSignatures: 0,
  assertedSignatures: 0,
  confirmedRecoveries: 0,
  assertedRecoveries: 0,
  sealed: 0,
  institute: 0,
  relayerOnly: 0,
  notReplayed: 0,
});

/** @param result null where the entry was not replayed. */
export function count(tally: Tally, { authority }: CheckedEntry, result: ReplayResult | null): void {
  tally.entries += 1;
  if (!result) tally.notReplayed += 1;
  if (result?.recovery) {
    tally[result.recovery.assertedKeys.length === 0 ? 'confirmedRecoveries' : 'assertedRecoveries'] += 1;
  }
  if (authority === 'sealed') tally.sealed += 1;
  else if (authority === 'institute') tally.institute += 1;
  else if (authority === 'relayer') tally.relayerOnly += 1;
  else if (result?.signature === 'verified') tally.verifiedSignatures += 1;
  else if (result?.signature === 'asserted') tally.assertedSignatures += 1;
  else tally.unverifiedSignatures += 1;
}
