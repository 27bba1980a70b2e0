/** A set of 48-bit keys that may have others too: a Bloom filter. It spares most lookups of keys that are not there. */
export interface KeyFilter {
  add(key: number): void;
  /** False only if the key was not added. */
  has(key: number): boolean;
}

/** With two million keys, one of a hundred and fifty others is found too; with ten million, a fifth. */
const BITS = 2 ** 25;
const PROBES = 3;
const STEP_BITS = 2 ** 23;

export function createKeyFilter(): KeyFilter {
  const words = new Uint32Array(BITS / 32);
  /** The keys are uniform, so their halves serve as two independent hashes. */
  const place = (key: number, probe: number): number => {
    const start = Math.floor(key / STEP_BITS);
    const step = (key % STEP_BITS) * 2 + 1;
    return (start + probe * step) % BITS;
  };
  return {
    add(key) {
      for (let probe = 0; probe < PROBES; probe += 1) {
        const bit = place(key, probe);
        words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
      }
    },
    has(key) {
      for (let probe = 0; probe < PROBES; probe += 1) {
        const bit = place(key, probe);
        if (((words[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
      }
      return true;
    },
  };
}
