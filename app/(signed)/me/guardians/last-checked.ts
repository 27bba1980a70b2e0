/** How long after a guardian checked the key the holder is advised to ask again. */
const ASK_AGAIN_MS = 182 * 24 * 3_600_000;

/** When a guardian last signed with the key. */
export interface LastChecked {
  /** A day, or the time of the acceptance. ISO 8601. */
  readonly at: string;
  /** More than half a year ago. */
  readonly isLong: boolean;
}

/** Null for a guardian who has not accepted. `now` in ms. */
export function lastChecked(attestedOn: string | null, acceptedAt: string | null, now: number): LastChecked | null {
  const at = attestedOn ?? acceptedAt;
  return at === null ? null : { at, isLong: now - Date.parse(at) > ASK_AGAIN_MS };
}
