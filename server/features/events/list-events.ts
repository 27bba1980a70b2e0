import { BEFORE_SEQS, type Event, type EventCursor, FIRST_CURSOR } from '../../../protocol/events.ts';
import type { IeoId } from '../../../protocol/ids.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import { READ_EVENTS } from '../../../protocol/signing/event-requests.ts';
import { institutionOf, type SignedReadParts, signedRead } from '../../entities/signed-read.ts';
import type { Cursors } from '../../platform/db/cursor.ts';
import { findEvent } from './find-event.ts';
import { type EventParts, readEvents } from './read-events.ts';

/** The length of a page of events. Protocol §9. */
export const EVENT_BOUNDS = { max: 1_000, fallback: 100 };

export interface EventList {
  readonly events: readonly Event[];
  /** Never null: the next page, or later events, continue from it. */
  readonly next_cursor: string;
  /** Whether to continue at once. */
  readonly has_more: boolean;
}

type Parts = EventParts & SignedReadParts & { readonly cursors: Cursors };

/**
 * The events of an institution, for the institution alone, in whatever status. Protocol §9.
 * @param after a cursor of the same institution; null for the first page
 * @param since the time from which the first page begins
 * @throws {ProtocolError}
 */
export async function listEvents(
  parts: Parts,
  body: Json,
  {
    after,
    since = null,
    limit,
  }: { readonly after: string | null; readonly since?: string | null; readonly limit: number },
): Promise<EventList> {
  const { ieo } = await signedRead(parts, READ_EVENTS, body, institutionOf(parts));
  const first = since === null ? FIRST_CURSOR : { at: new Date(since).toISOString(), ...BEFORE_SEQS };
  const from = after === null ? first : openEventCursor(parts.cursors, ieo.id, after, 'after');
  const { events, next, more } = await readEvents(parts, ieo.id, from, limit);
  return { events, next_cursor: sealEventCursor(parts.cursors, ieo.id, next), has_more: more };
}

/** One event of an institution by its id and time, for the institution alone; null without one. An extension. @throws {ProtocolError} */
export async function readEvent(
  parts: Parts,
  body: Json,
  { id, at }: { readonly id: string; readonly at: string },
): Promise<Event | null> {
  const { ieo } = await signedRead(parts, READ_EVENTS, body, institutionOf(parts));
  return findEvent(parts, ieo.id, id, at);
}

const scopeOf = (ieoId: IeoId): string => `events of ${ieoId}`;

export const sealEventCursor = (cursors: Cursors, ieoId: IeoId, { at, seq, name }: EventCursor): string =>
  cursors.seal(scopeOf(ieoId), [at, String(seq), name]);

/** @throws VALIDATION_FAILED if it is not a cursor of this institution's events; `path` names the parameter */
export function openEventCursor(cursors: Cursors, ieoId: IeoId, cursor: string, path: string): EventCursor {
  const [at = '', seq = '', name = ''] = cursors.open(scopeOf(ieoId), cursor, path);
  return { at, seq: Number(seq), name };
}
