const FIRST_MS = 60_000;
const LONGEST_MS = 3_600_000;
const GIVE_UP_MS = 72 * 3_600_000;

/** How long to wait after so many failed attempts (1…), in ms: doubling up to an hour; null once three days have passed so. */
export function waitAfter(failed: number): number | null {
  let waited = 0;
  let wait = FIRST_MS;
  for (let attempt = 1; attempt < failed; attempt++) {
    waited += wait;
    wait = Math.min(wait * 2, LONGEST_MS);
  }
  return waited < GIVE_UP_MS ? wait : null;
}
