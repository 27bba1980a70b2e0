import { expect, test } from 'vitest';
import { compareCursors, cursorAfter, cursorAt, type Event, type EventCursor } from '../../../../protocol/events.ts';
import type { EventPage } from '../read-events.ts';
import { upcomingEvents } from './upcoming-events.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 23);
const timeOf = (seq: number) => new Date(START + seq * MINUTE).toISOString();
const placeOf = (seq: number): EventCursor => cursorAt(seq, timeOf(seq));

const eventAt = (seq: number): Event => ({
  id: `evt_${seq}` as Event['id'],
  type: 'beo.locked',
  at: timeOf(seq),
  seq,
  data: { transaction_id: `t${seq}`, beo_id: 'b' },
});

const HEAD = 10;
/** Entries are searched in pages of two; some are events. */
const ledgerWith =
  (...events: readonly number[]) =>
  async (after: EventCursor): Promise<EventPage> => {
    const last = Math.min(after.seq + 2, HEAD);
    const found = events.map(eventAt).filter((event) => compareCursors(cursorAfter(event), after) > 0);
    return { events: found.filter(({ seq }) => seq <= last), next: placeOf(last), more: last < HEAD };
  };

/** The seqs of the events, null for a page without one, and the place at the end. */
async function run(read: (after: EventCursor) => Promise<EventPage>, start: Parameters<typeof upcomingEvents>[1]) {
  const seqs: (number | null)[] = [];
  const upcoming = upcomingEvents(read, start);
  for (;;) {
    const { done, value } = await upcoming.next();
    if (done) return { seqs, end: value.seq };
    seqs.push(value.event?.seq ?? null);
    if (value.event === null) expect(value.place.seq).toBeGreaterThan(start.place.seq);
  }
}

test('events come in order, and a long search stops after each page without one', async () => {
  const start = { place: placeOf(0), replay: null };
  expect(await run(ledgerWith(1, 2, 3, 9), start)).toEqual({ seqs: [1, 2, 3, null, null, 9], end: HEAD });
  expect(await run(ledgerWith(), start)).toEqual({ seqs: [null, null, null, null], end: HEAD });
});

test('a replay ends with its last event, and delivery continues where it was before', async () => {
  const replay = { until: cursorAfter(eventAt(3)), placeAfter: placeOf(7) };
  const start = { place: placeOf(1), replay };
  expect(await run(ledgerWith(1, 2, 3, 4, 5, 8, 9), start)).toEqual({ seqs: [2, 3, 8, 9], end: HEAD });
  expect(await run(ledgerWith(2, 3), start)).toEqual({ seqs: [2, 3, null], end: HEAD });
});
