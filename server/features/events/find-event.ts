import type { Instant } from '../../../protocol/entities/recorded.ts';
import { BEFORE_SEQS, type Event, type EventCursor } from '../../../protocol/events.ts';
import type { IeoId } from '../../../protocol/ids.ts';
import { type EventParts, readEvents } from './read-events.ts';

/** An entry has at most as many events for one institution as a holder has consents. */
const MAX_PAGES = 20;
const PAGE = 500;

/** The event with an id at a time, which its message names; null if there is none, or it was erased. */
export async function findEvent(parts: EventParts, ieoId: IeoId, id: string, time: string): Promise<Event | null> {
  const at: Instant = new Date(time).toISOString();
  let after: EventCursor = { at, ...BEFORE_SEQS };
  for (let page = 0; page < MAX_PAGES; page++) {
    const { events, next, more } = await readEvents(parts, ieoId, after, PAGE);
    const found = events.find((event) => event.id === id);
    if (found) return found;
    if (!more || next.at > at) return null;
    after = next;
  }
  return null;
}
