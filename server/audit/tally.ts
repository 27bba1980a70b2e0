import type { CheckedEntry } from './checked.ts';

/** Entries by what could be checked of them. What was only read is never counted as verified. */
export interface Tally {
  entries: number;
  /** A public user signature that is good, by the key the state says. */
  verifiedSignatures: number;
  /** A public user signature of which that cannot be said. */
  unverifiedSignatures: number;
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
  sealed: 0,
  institute: 0,
  relayerOnly: 0,
  notReplayed: 0,
});

export function count(tally: Tally, { authority }: CheckedEntry, verified: boolean, replayed: boolean): void {
  tally.entries += 1;
  if (!replayed) tally.notReplayed += 1;
  if (authority === 'sealed') tally.sealed += 1;
  else if (authority === 'institute') tally.institute += 1;
  else if (authority === 'relayer') tally.relayerOnly += 1;
  else if (verified) tally.verifiedSignatures += 1;
  else tally.unverifiedSignatures += 1;
}
