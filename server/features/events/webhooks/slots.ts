export interface Slot {
  /** Aborted once another owner has the slot. */
  readonly signal: AbortSignal;
  release(): void;
}

/** A limited number of requests at once. */
export interface Slots<Owner> {
  /** Ends the request that waits longest if there are too many. Null if too many are this owner's. */
  take(owner: Owner): Slot | null;
  endAll(): void;
}

/** @param max of all owners together */
export function createSlots<Owner>({ max, maxPerOwner }: { max: number; maxPerOwner: number }): Slots<Owner> {
  /** The oldest first. */
  const taken = new Map<AbortController, Owner>();
  return {
    take(owner) {
      if ([...taken.values()].filter((other) => other === owner).length >= maxPerOwner) return null;
      const [oldest] = taken.keys();
      if (oldest && taken.size >= max) {
        taken.delete(oldest);
        oldest.abort();
      }
      const ending = new AbortController();
      taken.set(ending, owner);
      return { signal: ending.signal, release: () => taken.delete(ending) };
    },
    endAll() {
      for (const ending of taken.keys()) ending.abort();
    },
  };
}
