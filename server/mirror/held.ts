/** What was signed over entries that the mirror does not have yet: heads, and checkpoints. */
export interface Held<Signed> {
  /** @returns what was signed for the same place with another content */
  hold(signed: Signed): Signed | null;
  /** Removes and returns what was signed over entries that the mirror has now. */
  reached(seq: number): readonly Signed[];
  /** The first one, if the mirror has waited for new entries for a minute; null otherwise. */
  overdue(): Signed | null;
}

interface Kind<Signed> {
  /** The last entry that it is over. */
  seqOf(signed: Signed): number;
  /** That which may have only one content. */
  placeOf(signed: Signed): string;
  contentOf(signed: Signed): string;
}

/** The earliest are kept: they are reached first. */
const MOST = 100;
const WAITING_MS = 60_000;

export function createHeld<Signed>(
  { seqOf, placeOf, contentOf }: Kind<Signed>,
  now: () => number = () => performance.now(),
): Held<Signed> {
  let held: Signed[] = [];
  let reachedSeq = 0;
  let waitingSince = now();
  return {
    hold(signed) {
      const there = held.filter((other) => placeOf(other) === placeOf(signed));
      const isOther = (other: Signed) => contentOf(other) !== contentOf(signed);
      if (held.length === 0) waitingSince = now();
      if (there.every(isOther)) held = [...held.slice(0, MOST - 1), signed];
      return there.find(isOther) ?? null;
    },
    reached(seq) {
      if (seq > reachedSeq) waitingSince = now();
      reachedSeq = seq;
      const found = held.filter((signed) => seqOf(signed) <= seq);
      held = held.filter((signed) => seqOf(signed) > seq);
      return found;
    },
    overdue: () => (now() - waitingSince < WAITING_MS ? null : (held[0] ?? null)),
  };
}
