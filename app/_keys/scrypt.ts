export type ScryptCost = { readonly N: number; readonly r: number; readonly p: number };

export interface Derivation {
  readonly passphrase: string;
  readonly salt: Uint8Array;
  readonly cost: ScryptCost;
}

/** A fraction from 0 to 1. */
export type OnProgress = (fraction: number) => void;

export type Derive = (derivation: Derivation, onProgress: OnProgress) => Promise<Uint8Array>;

const KEY_BYTES = 32;
/** Yields to other work after this many milliseconds. */
const TICK_MS = 50;

/** 32 bytes by scrypt (RFC 7914) from the passphrase in UTF-8. Takes seconds and yields in between. */
export const derive: Derive = async ({ passphrase, salt, cost: { N, r, p } }, onProgress) => {
  const { scryptAsync } = await import('@noble/hashes/scrypt.js');
  let reported = 0;
  return scryptAsync(new TextEncoder().encode(passphrase), salt, {
    N,
    r,
    p,
    dkLen: KEY_BYTES,
    asyncTick: TICK_MS,
    onProgress: (fraction) => {
      if (fraction < 1 && fraction - reported < 0.01) return;
      reported = fraction;
      onProgress(fraction);
    },
  });
};
