import type { CheckedEntry } from './checked.ts';

/** The first entry of an epoch. Entries of older epochs from `seq` on are not part of the ledger. */
export type EpochStart = Pick<CheckedEntry, 'epoch' | 'seq' | 'owner'>;

/** The beginnings of epochs in bundles that were read ahead. Whether the relayer signed them is not decided yet. */
export interface EpochStarts {
  add(start: EpochStart): void;
  /** The first of each epoch that this key signed; the oldest epochs first. */
  signedBy(owner: string): EpochStart[];
  readonly size: number;
}

/** Far more than restores of a ledger. Anyone who can post bundles can invent beginnings. */
const MOST_STARTS = 100_000;

/** Keeps the lowest `seq` of each epoch and key: it leaves out what a higher one would, and two of them are a breach anyway. */
export function createEpochStarts(): EpochStarts {
  const starts = new Map<string, EpochStart>();
  return {
    add({ epoch, seq, owner }) {
      const key = `${owner} ${epoch}`;
      const known = starts.get(key);
      if (known ? seq < known.seq : starts.size < MOST_STARTS) starts.set(key, { epoch, seq, owner });
    },
    signedBy: (owner) =>
      [...starts.values()].filter((start) => start.owner === owner).sort((one, other) => one.epoch - other.epoch),
    get size() {
      return starts.size;
    },
  };
}
