/** What was signed over entries that the mirror does not have yet: heads, and checkpoints. */
export interface HeldStatements<Signed> {
  /** @returns what was signed for the same place with another content */
  hold(signed: Signed): Signed | null;
  /** Removes and returns what was signed over entries that the mirror has now. */
  reached(seq: number): readonly Signed[];
  /** The first one, if the mirror has waited for new entries for a minute; null otherwise. */
  overdue(): Signed | null;
}

interface StatementKeys<Signed> {
  /** The seq of the last entry that it covers. */
  seqOf(signed: Signed): number;
  /** For what only one content may be signed. */
  placeOf(signed: Signed): string;
  contentOf(signed: Signed): string;
}

/** Those are kept that are reached first. */
const MOST = 100;
const WAITING_MS = 60_000;

export function createHeldStatements<Signed>(
  { seqOf, placeOf, contentOf }: StatementKeys<Signed>,
  now: () => number = () => performance.now(),
): HeldStatements<Signed> {
  let held: Signed[] = [];
  let reachedSeq = 0;
  let waitingSince = now();
  return {
    hold(signed) {
      const samePlace = held.filter((other) => placeOf(other) === placeOf(signed));
      const isOther = (other: Signed) => contentOf(other) !== contentOf(signed);
      if (held.length === 0) waitingSince = now();
      if (samePlace.every(isOther))
        held = [...held, signed].sort((one, other) => seqOf(one) - seqOf(other)).slice(0, MOST);
      return samePlace.find(isOther) ?? null;
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
