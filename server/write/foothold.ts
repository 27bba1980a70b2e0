import type { Head } from '../ledger/head.ts';

/**
 * Where this process has left the head of the ledger. As long as nobody else has been seen to move it, the next batch goes on
 * from there without asking: its write moves the head from that place, and fails where the head is elsewhere (moveHead).
 */
export interface Foothold {
  /** The head to go on from; null where it has to be locked. */
  presumed(): Head | null;
  /** Whether nothing went wrong for a while: what is to be new is then presumed to be, instead of looked for. */
  isUndisturbed(): boolean;
  /** A batch has locked the head, found it so, and left it so. */
  locked(found: Head, left: Head): void;
  /** A batch has presumed the head, was right, and left it so. */
  kept(left: Head): void;
  /** Somebody was there first, a batch had to look after all, or nobody knows what became of it. */
  lost(): void;
}

/** The head is looked at every so often all the same: it brings the database's time, and others may be about. */
const LOOK_AGAIN_MS = 1_000;

/** How long everything is looked for once a foothold was lost: whoever sends what is there already makes a batch a minute run twice. */
const UNTIL_CALM_MS = 60_000;

export function createFoothold(now: () => number = () => performance.now()): Foothold {
  let last: Head | null = null;
  let alone = false;
  let lockedAt = 0;
  let disturbedAt = -Infinity;
  return {
    presumed: () => (alone && now() - lockedAt < LOOK_AGAIN_MS ? last : null),
    isUndisturbed: () => now() - disturbedAt >= UNTIL_CALM_MS,
    locked(found, left) {
      alone = last !== null && last.epoch === found.epoch && last.id === found.id;
      last = left;
      lockedAt = now();
    },
    kept(left) {
      last = left;
    },
    lost() {
      alone = false;
      disturbedAt = now();
    },
  };
}
