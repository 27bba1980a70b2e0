/** The period of protocol §1, measured by the times of acceptance. */
const REMEMBERED_MS = 10 * 60_000;

export interface NonceMemory {
  /** Records a nonce used at `at` (ms, roughly increasing). True if it was used in the ten minutes before. */
  usedBefore(nonce: string, at: number): boolean;
}

/** Keeps two generations of ten minutes, so that the memory depends on the traffic and not on the length of the ledger. */
export function createNonceMemory(): NonceMemory {
  let current = new Map<string, number>();
  let previous = new Map<string, number>();
  let began = 0;
  return {
    usedBefore(nonce, at) {
      if (at - began >= REMEMBERED_MS) {
        previous = at - began < 2 * REMEMBERED_MS ? current : new Map();
        current = new Map();
        began = at;
      }
      const second = Math.floor(at / 1000);
      const last = current.get(nonce) ?? previous.get(nonce);
      current.set(nonce, second);
      return last !== undefined && (second - last) * 1000 < REMEMBERED_MS;
    },
  };
}
