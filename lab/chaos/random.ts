/** A seeded generator: the same seed yields the same choices. */
export interface Random {
  /** A whole number from `min` to `max`. */
  whole(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  shuffled<Value>(values: readonly Value[]): Value[];
}

/** mulberry32. @param seeds whole numbers, such as the seed of a run and the number of a round */
export function createRandom(...seeds: readonly number[]): Random {
  let state = seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) ^ (mixed >>> 15), 0x2545f491);

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));

  return {
    whole,
    chance: (probability) => next() < probability,
    pick(values) {
      if (values.length === 0) throw new Error('There is nothing to pick from.');
      return values[whole(0, values.length - 1)] as (typeof values)[number];
    },
    shuffled(values) {
      const rest = [...values];
      return values.map(() => rest.splice(whole(0, rest.length - 1), 1)[0] as (typeof values)[number]);
    },
  };
}
