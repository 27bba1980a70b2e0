import type { CheckedEntry } from './checked.ts';
import type { ReplayResult } from './replay.ts';

/** Counts entries by what could be verified. An entry that was only read is never counted as verified. */
export interface Tally {
  entries: number;
  /** Public user signatures that are valid, by the authorized key. */
  verifiedSignatures: number;
  /** Other public user signatures. */
  unverifiedSignatures: number;
  /** Valid public signatures of guardians whose key the holder has not confirmed in public. */
  assertedSignatures: number;
  /** Recoveries by two guardians whose keys the holder had confirmed in public. */
  confirmedRecoveries: number;
  /** Recoveries with a guardian that only the relayer asserts. */
  assertedRecoveries: number;
  /** Sealed entries: the relayer's signature is verified; the user's signature is not public. */
  sealed: number;
  /** Decisions of the institute, as the relayer asserts without a signature. */
  institute: number;
  /** Entries that only the relayer signed. */
  relayerOnly: number;
  /** Entries after a gap, which were checked but not replayed. */
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

/** @param result null if the entry was not replayed. */
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
