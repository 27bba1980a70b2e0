/** Blocks on top of an entry's bundle until the entry is final. */
export const NEEDED_CONFIRMATIONS = 18;
