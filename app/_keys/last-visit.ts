/** After such a pause, opening the overview again is another visit. */
const PAUSE_MS = 30 * 60_000;

/** The visits of an identity, in ms: the latest, and the one before it. */
interface Visits {
  readonly latest: number;
  readonly before: number | null;
}

export function visitsAt(now: number, visits: Visits | null): Visits {
  if (visits === null) return { latest: now, before: null };
  return { latest: now, before: now - visits.latest >= PAUSE_MS ? visits.latest : visits.before };
}

const keyOf = (id: string): string => `perpetua-visits-${id}`;

/** Notes a visit at `now`, in this browser only. @returns when the visit before was, in ms; null for the first one, or without storage */
export function noteVisit(id: string, now: number): number | null {
  try {
    const text = localStorage.getItem(keyOf(id));
    const visits = visitsAt(now, text === null ? null : JSON.parse(text));
    localStorage.setItem(keyOf(id), JSON.stringify(visits));
    return visits.before;
  } catch {
    return null;
  }
}

export function forgetVisits(id: string): void {
  try {
    localStorage.removeItem(keyOf(id));
  } catch {
    // Without storage there is nothing to forget.
  }
}
