/** Nonces are looked for as long as protocol §1 says they are remembered, by the times of acceptance. */
const REMEMBERED_MS = 10 * 60_000;

export interface NonceMemory {
  /** Notes a nonce used at `at` (ms, never going back by much); true where it was used before within ten minutes. */
  usedBefore(nonce: string, at: number): boolean;
}

/** Two generations of ten minutes: what is older cannot matter, so the memory depends on the traffic, not on the ledger. */
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
