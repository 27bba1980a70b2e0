/** What the overview offers once: the page about alerts, and a practice with the guardians. */
const OFFERS = ['alerts', 'practice'] as const;
type Offer = (typeof OFFERS)[number];

const keyOf = (offer: Offer, id: string): string => `perpetua-${offer}-offered-${id}`;

/** Whether the holder has seen its page in this browser, so that it is not offered again; true without storage. */
export function wasOffered(offer: Offer, id: string): boolean {
  try {
    return localStorage.getItem(keyOf(offer, id)) !== null;
  } catch {
    return true;
  }
}

export function keepOffered(offer: Offer, id: string): void {
  try {
    localStorage.setItem(keyOf(offer, id), '1');
  } catch {
    // Without storage it is not offered.
  }
}

export function forgetOffered(id: string): void {
  try {
    for (const offer of OFFERS) localStorage.removeItem(keyOf(offer, id));
  } catch {
    // Without storage there is nothing to forget.
  }
}
