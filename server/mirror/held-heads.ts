import type { SignedHead } from '../ledger/read.ts';

/** Heads of the service over entries that the mirror does not have yet. Their signatures may need a later key of the relayer. */
export interface HeldHeads {
  /** @returns a head for the same place that names another entry */
  hold(head: SignedHead): SignedHead | null;
  /** Removes and returns those whose entries the mirror has now. */
  reached(seq: number): readonly SignedHead[];
  /** The first head, if the mirror has waited for new entries for a minute; null otherwise. */
  overdue(): SignedHead | null;
}

/** The earliest are kept: they are reached first. */
const MOST = 100;
const WAITING_MS = 60_000;

export function createHeldHeads(now: () => number = () => performance.now()): HeldHeads {
  let held: SignedHead[] = [];
  let reachedSeq = 0;
  let waitingSince = now();
  return {
    hold(head) {
      const [same, rival] = [true, false].map((isSame) =>
        held.find(({ epoch, seq, id }) => epoch === head.epoch && seq === head.seq && (id === head.id) === isSame),
      );
      if (held.length === 0) waitingSince = now();
      if (!same) held = [...held.slice(0, MOST - 1), head];
      return rival ?? null;
    },
    reached(seq) {
      if (seq > reachedSeq) waitingSince = now();
      reachedSeq = seq;
      const found = held.filter((head) => head.seq <= seq);
      held = held.filter((head) => head.seq > seq);
      return found;
    },
    overdue: () => (now() - waitingSince < WAITING_MS ? null : (held[0] ?? null)),
  };
}
