import { BEGIN_EPOCH, type EpochBeginning } from '../../protocol/ledger/epoch.ts';
import type { CheckedEntry } from './checked.ts';
import type { EpochStart, EpochStarts } from './epoch-starts.ts';
import type { Findings } from './findings.ts';
import type { RelayerKeys } from './relayer-keys.ts';

/** The last entry of the chain so far. */
export type ChainEnd = Pick<CheckedEntry, 'epoch' | 'seq' | 'id' | 'acceptedAt'>;

/**
 * - next: it continues the chain; - repeated: the same item as before; - rival: another item has its place;
 * - abandoned: a restore has left it out; - misplaced: it comes after later entries
 */
export type Placement = 'next' | 'repeated' | 'rival' | 'abandoned' | 'misplaced';

export interface ChainOrder {
  /** Classifies an entry that the relayer signed and reports breaches of the chain. */
  place(entry: CheckedEntry): Placement;
  /** Whether a later epoch leaves out the entry. */
  isAbandoned(entry: Pick<CheckedEntry, 'epoch' | 'seq'>): boolean;
  /** Frees the memory of entries before `seq`, which later bundles do not contain. */
  forgetBefore(seq: number): void;
  readonly end: ChainEnd | null;
  /** The last entry before the first gap. Entries after a gap are not replayed. */
  readonly completeTo: number;
}

type Seen = Pick<CheckedEntry, 'epoch' | 'id'>;

/** Beginnings of epochs by keys of the relayer, with each of which an entry is compared. */
const MOST_EPOCHS = 1_000;

/** The chain of protocol §10: seq without gaps, prev, epochs, accepted_at, and never two entries in one place. */
export function createChainOrder(
  epochStarts: EpochStarts,
  keys: Pick<RelayerKeys, 'isRelayers' | 'succession'>,
  findings: Findings,
  /** The end of a complete chain, which the next entry continues. */
  from: ChainEnd | null = null,
): ChainOrder {
  const seen = new Map<number, Seen[]>();
  let end = from;
  let completeTo = from?.seq ?? 0;
  let complete = true;

  const relayersStarts: EpochStart[] = [];
  let keysTaken = 0;

  /** Takes over the beginnings that each new key of the relayer signed. */
  function takeStarts(): void {
    for (const { publicKey } of keys.succession.keys.slice(keysTaken)) {
      const signed = epochStarts.signedBy(publicKey);
      const room = MOST_EPOCHS - relayersStarts.length;
      if (signed.length > room) {
        const sentence = `The relayer signed beginnings of more than ${MOST_EPOCHS} epochs; the later ones are not compared.`;
        findings.add({ kind: 'EPOCH', sentence });
      }
      relayersStarts.push(...signed.slice(0, room));
    }
    keysTaken = keys.succession.keys.length;
  }

  function isAbandoned({ epoch, seq }: Pick<CheckedEntry, 'epoch' | 'seq'>): boolean {
    if (keysTaken < keys.succession.keys.length) takeStarts();
    return relayersStarts.some((start) => start.epoch > epoch && start.seq <= seq && keys.isRelayers(start));
  }

  function place(entry: CheckedEntry): Placement {
    const { id, seq, epoch } = entry;
    const here = seen.get(seq) ?? [];
    const rivals = here.filter((other) => other.epoch === epoch);
    if (rivals.some((other) => other.id === id)) return 'repeated';
    seen.set(seq, [...here, { epoch, id }]);
    const [rival] = rivals;
    if (rival) {
      reportEquivocation(findings, entry, rival.id);
      return 'rival';
    }
    if (isAbandoned(entry)) {
      const sentence = `The entry of epoch ${epoch} was accepted and posted, but a later restore left it out.`;
      findings.add({ kind: 'ABANDONED', sentence }, entry);
      return 'abandoned';
    }
    if (seq <= (end?.seq ?? 0)) return 'misplaced';
    checkPlace(entry);
    end = { epoch, seq, id, acceptedAt: entry.acceptedAt };
    if (complete) completeTo = seq;
    return 'next';
  }

  function checkPlace(entry: CheckedEntry): void {
    const expected = (end?.seq ?? 0) + 1;
    if (entry.seq > expected) {
      complete = false;
      const sentence =
        entry.seq === expected + 1
          ? `Entry ${expected} is missing.`
          : `Entries ${expected} to ${entry.seq - 1} are missing.`;
      findings.add({ kind: 'GAP', sentence }, { seq: expected });
    } else if (entry.prev !== (end?.id ?? null)) {
      const sentence = `It names ${entry.prev ?? 'no entry'} as its predecessor, which is ${end?.id ?? 'no entry'}.`;
      findings.add({ kind: 'PREV', sentence }, entry);
    }
    const epochProblem = misplacedEpoch(entry, end, entry.seq > expected);
    if (epochProblem) findings.add({ kind: 'EPOCH', sentence: epochProblem }, entry);
    if (end && entry.acceptedAt < end.acceptedAt) {
      const sentence = `It was accepted at ${entry.acceptedAt}, before its predecessor at ${end.acceptedAt}.`;
      findings.add({ kind: 'ACCEPTED_AT', sentence }, entry);
    }
  }

  return {
    place,
    isAbandoned,
    forgetBefore(seq) {
      for (const seenSeq of seen.keys()) {
        if (seenSeq >= seq) return;
        seen.delete(seenSeq);
      }
    },
    get end() {
      return end;
    },
    get completeTo() {
      return completeTo;
    },
  };
}

/** Why an entry is not of the epoch that it names; null if it is. */
export function misplacedEpoch(entry: CheckedEntry, end: ChainEnd | null, afterGap: boolean): string | null {
  const beginning = entry.functionName === BEGIN_EPOCH ? (entry.publicFacts as EpochBeginning | null) : null;
  const before = end?.epoch ?? 0;
  if (afterGap) return entry.epoch < Math.max(1, before) ? `Epoch ${entry.epoch} follows epoch ${before}.` : null;
  if (entry.functionName === BEGIN_EPOCH) {
    const fits = beginning?.epoch === entry.epoch && beginning.last === entry.seq - 1;
    if (fits && entry.epoch === Math.max(1, before) + 1) return null;
    return `Its beginEpoch does not fit its place, epoch ${entry.epoch} after epoch ${before}.`;
  }
  if (entry.epoch === before || (end === null && entry.epoch === 1)) return null;
  return `Epoch ${entry.epoch} follows epoch ${before} without a beginEpoch entry.`;
}

export function reportEquivocation(findings: Findings, entry: CheckedEntry, other: string): void {
  const sentence = `The relayer signed two entries for epoch ${entry.epoch}, seq ${entry.seq}: ${other} and ${entry.id}.`;
  findings.add({ kind: 'EQUIVOCATION', sentence }, entry);
}
