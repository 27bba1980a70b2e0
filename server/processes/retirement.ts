/** A connection that was idle for this long is closed, although its client may be about to use it. */
const LONGEST_MS = 120_000;

/** How long a process that is being replaced waits for the next request on each of its connections. */
export const retirementMs = ({ KEEP_ALIVE_MS }: { readonly KEEP_ALIVE_MS: number }): number =>
  Math.min(KEEP_ALIVE_MS, LONGEST_MS);
