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

function read(id: string, now: number): Visits | null {
  try {
    const text = localStorage.getItem(keyOf(id));
    return visitsAt(now, text === null ? null : JSON.parse(text));
  } catch {
    return null;
  }
}

/** When the visit before the one at `now` was, in ms; null for the first one, or without storage. */
export const visitBefore = (id: string, now: number): number | null => read(id, now)?.before ?? null;

/** Notes a visit at `now`, in this browser only: one at which the person saw what had happened. */
export function noteVisit(id: string, now: number): void {
  const visits = read(id, now);
  try {
    if (visits) localStorage.setItem(keyOf(id), JSON.stringify(visits));
  } catch {
    // Without storage, each visit is the first one.
  }
}

export function forgetVisits(id: string): void {
  try {
    localStorage.removeItem(keyOf(id));
  } catch {
    // Without storage there is nothing to forget.
  }
}
