import type { Instant } from '../../../../protocol/entities/recorded.ts';
import { compareCursors, cursorAfter, type Event, type EventCursor } from '../../../../protocol/events.ts';
import type { EventPage } from '../read-events.ts';
import type { Replay } from './delivery-rows.ts';

export interface Upcoming {
  /** Null after a page without events: the search for the next one has come to `place`. */
  readonly event: Event | null;
  /** Where delivery is once the event is delivered. */
  readonly place: EventCursor;
  readonly replay: Replay | null;
  /** When the event after it happened, if one is known. */
  readonly nextAt: Instant | null;
}

type ReadPage = (after: EventCursor) => Promise<EventPage>;

/**
 * The events after a place, in order, until there are none; returns the place that was reached. The next page is read
 * while the current one is used, so at most two are in memory. After the last event of a replay it continues where
 * delivery was before the replay. A long search for the next event is interrupted after each page without one.
 */
export async function* upcomingEvents(
  read: ReadPage,
  start: { readonly place: EventCursor; readonly replay: Replay | null },
): AsyncGenerator<Upcoming, EventCursor, void> {
  let { replay } = start;
  let page = await read(start.place);
  for (;;) {
    const { events, next, more } = page;
    const following = more || events.length > 0 ? read(next) : null;
    // It may fail before it is awaited, or never be awaited.
    following?.catch(() => undefined);
    let isReplayOver = replay !== null && compareCursors(next, replay.until) >= 0 && events.length === 0;
    for (const [index, event] of events.entries()) {
      const place = cursorAfter(event);
      isReplayOver = replay !== null && compareCursors(place, replay.until) > 0;
      if (isReplayOver) break;
      yield { event, place, replay, nextAt: events[index + 1]?.at ?? null };
    }
    if (events.length === 0 && following && !isReplayOver) yield { event: null, place: next, replay, nextAt: null };
    if (replay && (isReplayOver || !following)) {
      page = await read(replay.placeAfter);
      replay = null;
    } else if (following) {
      page = await following;
    } else {
      return next;
    }
  }
}
