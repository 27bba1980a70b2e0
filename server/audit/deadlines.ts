interface Deadline {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** A queue of deadlines. They must be added in their order. */
export interface Deadlines {
  add(deadline: Deadline): void;
  /** Removes and yields the deadlines that have passed at `at` (ms). */
  passed(at: number): Generator<Deadline>;
}

const FORGET_AT = 1_024;

export function createDeadlines(): Deadlines {
  let deadlines: Deadline[] = [];
  let next = 0;
  return {
    add: (deadline) => void deadlines.push(deadline),
    *passed(at) {
      for (let first = deadlines[next]; first && first.until <= at; first = deadlines[next]) {
        next += 1;
        yield first;
      }
      if (next > FORGET_AT && next * 2 > deadlines.length) {
        deadlines = deadlines.slice(next);
        next = 0;
      }
    },
  };
}
