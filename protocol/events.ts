import type { Instant } from './entities/recorded.ts';
import type { EventData, EventType } from './event-shapes.ts';
import { type EventId, eventIdOf, type LedgerId } from './ids.ts';

/** An event as an institution reads it. */
export type Event = {
  readonly [Type in EventType]: {
    readonly id: EventId;
    readonly type: Type;
    /** When it happened: when the entry was accepted, or when the consent expired. */
    readonly at: Instant;
    /** Of the entry; of `consent.expired`, of the last entry before it. */
    readonly seq: number;
    readonly data: EventData[Type];
  };
}[EventType];

/** The member of the data that names the subject of an event. */
const SUBJECTS = {
  'consent.granted': 'token_id',
  'consent.revoked': 'token_id',
  'consent.expired': 'token_id',
  'beo.locked': 'beo_id',
  'beo.unlocked': 'beo_id',
  'beo.destroyed': 'beo_id',
  'beo.key_rotated': 'beo_id',
  'ieo.status_changed': 'ieo_id',
  'ieo.certification_changed': 'ieo_id',
  'records.superseded': 'record_id',
} as const satisfies { readonly [Type in EventType]: keyof EventData[Type] };

export const EVENT_TYPES = Object.keys(SUBJECTS) as EventType[];

const nameOf = ({ type, data }: EventDraft): string =>
  `${type}:${String(({ ...data } as Readonly<Record<string, unknown>>)[SUBJECTS[type]])}`;

/** An event before its id is computed. */
export type EventDraft = { readonly [Type in EventType]: Omit<Extract<Event, { type: Type }>, 'id'> }[EventType];

export const withEventId = (ledgerId: LedgerId, draft: EventDraft): Event => ({
  id: eventIdOf(ledgerId, draft.data.transaction_id, nameOf(draft)),
  ...draft,
});

/**
 * A place between events. Events are ordered by time, then by seq, then by name. A consent that expires at the time of
 * an entry expires before it: its seq counts as 0. Times come first, because a restore can lose the last entries, and
 * their seqs are assigned again.
 */
export interface EventCursor {
  readonly at: Instant;
  readonly seq: number;
  /** The type and the subject, joined by a colon. */
  readonly name: string;
}

/** Before every event of a time. */
export const BEFORE_SEQS = { seq: 0, name: '' } as const;

/** Before every event. */
export const FIRST_CURSOR: EventCursor = { at: '1970-01-01T00:00:00.000Z', ...BEFORE_SEQS };

/** After every name. */
const LAST_NAME = '~';

/** The place after everything that the ledger contained when its last entry was `seq` and its time was `at`. */
export const cursorAt = (seq: number, at: Instant): EventCursor => ({ at, seq, name: LAST_NAME });

export const cursorAfter = (event: EventDraft): EventCursor => ({
  at: event.at,
  seq: event.type === 'consent.expired' ? 0 : event.seq,
  name: nameOf(event),
});

/** Negative if `one` is before `other`, 0 if they are the same place. */
export function compareCursors(one: EventCursor, other: EventCursor): number {
  if (one.at !== other.at) return one.at < other.at ? -1 : 1;
  if (one.seq !== other.seq) return one.seq - other.seq;
  if (one.name === other.name) return 0;
  return one.name < other.name ? -1 : 1;
}

/** The part of a consent that decides whether it was live at an earlier moment. */
export interface ConsentSpan {
  readonly createdSeq: number;
  /** Null if it was not revoked. */
  readonly revokedSeq: number | null;
  readonly expiresAt: Instant | null;
}

/** Whether a consent was live when the entry `seq` was accepted at `at`, before what that entry changed. */
export const wasLive = (
  { createdSeq, revokedSeq, expiresAt }: ConsentSpan,
  { seq, at }: { readonly seq: number; readonly at: Instant },
): boolean =>
  createdSeq < seq &&
  (revokedSeq === null || revokedSeq >= seq) &&
  (expiresAt === null || Date.parse(at) < Date.parse(expiresAt));
