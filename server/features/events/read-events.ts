import type { Pool, PoolClient } from 'pg';
import { hasEnded, type IeoStatus, type IeoType } from '../../../protocol/entities/ieo.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import {
  compareCursors,
  cursorAfter,
  cursorAt,
  type Event,
  type EventCursor,
  type EventDraft,
  FIRST_CURSOR,
  withEventId,
} from '../../../protocol/events.ts';
import type { IeoId, LedgerId } from '../../../protocol/ids.ts';
import { firstSeqsFrom } from '../../ledger/first-seqs.ts';
import type { Clock } from '../../platform/db/clock.ts';
import { available } from '../../platform/db/pool.ts';
import { referenceRow } from '../requests/plug-in.ts';
import type { Vault } from '../vault/vault.ts';
import { expiredConsents, grantedConsents, revokedConsents } from './consent-events.ts';
import { holderEvents } from './holder-events.ts';
import { advanceHorizon, type Horizon } from './horizon.ts';
import { decidedEvents, ownEvents } from './institution-events.ts';
import { supersededRecords } from './record-events.ts';
import type { Asked, Found, Institution } from './source.ts';

export interface EventParts {
  readonly listPool: Pool;
  readonly clock: Pick<Clock, 'now'>;
  readonly ledgerId: LedgerId;
  readonly vault: Pick<Vault, 'readAll'>;
}

export interface EventPage {
  /** Oldest first. */
  readonly events: readonly Event[];
  /** Where the next page begins; also after the last event, so that a reader can continue later. */
  readonly next: EventCursor;
  /** Whether the next page can be read at once. A page may be short, even empty, and yet have a next one. */
  readonly more: boolean;
}

/** Read along indexes of the institution. */
const OWN = [grantedConsents, revokedConsents, expiredConsents, ownEvents, decidedEvents];
/** Read along the ledger, and compared with the consents of the institution. */
const OF_HOLDERS = [holderEvents, supersededRecords];

/** Rows that a source reads at most besides those of the page, because they may be no events for the institution. */
const scanFor = (limit: number): number => 500 + 5 * limit;

/**
 * The events of an institution after a place, oldest first. They are derived from the ledger and the rows that follow from it, each as
 * of its own moment: a page has the same events whenever it is read, and none is added before a place that was read.
 * Protocol §9.
 * @param after null for the beginning
 */
export async function readEvents(
  parts: EventParts,
  ieoId: IeoId,
  after: EventCursor | null,
  limit: number,
): Promise<EventPage> {
  const start = after ?? FIRST_CURSOR;
  return available(async () => {
    const db = await parts.listPool.connect();
    try {
      const settled = await settle(db, ieoId, parts.clock.now());
      return settled === null
        ? { events: [], next: start, more: false }
        : await readPage(db, parts, settled, start, limit);
    } finally {
      db.release();
    }
  });
}

async function readPage(
  db: PoolClient,
  { ledgerId, vault }: EventParts,
  { institution, horizon }: Settled,
  after: EventCursor,
  limit: number,
): Promise<EventPage> {
  const low = (await firstSeqsFrom(db, [after.at])).get(after.at) ?? 1;
  const asked: Asked = {
    ...{ db, institution, after, low, horizon },
    ...{ until: horizon.at, most: limit + 1, scan: scanFor(limit) },
  };
  const settledEnd = cursorAt(horizon.seq, horizon.at);
  const own = await Promise.all(OWN.map((source) => source(asked)));
  const ownRead = merged(own, after, settledEnd);
  const until = (ownRead.placed[limit - 1]?.place ?? ownRead.end).at;
  const ofHolders = await Promise.all(OF_HOLDERS.map((source) => source({ ...asked, until })));
  const { placed, end } = merged([...own, ...ofHolders], after, settledEnd);
  const page = placed.slice(0, limit);
  // With a full page, events of holders after `until` have not been read.
  const reached = placed.length >= limit ? (page.at(-1)?.place ?? end) : end;
  const placedEvents = page.map(({ event }) => event);
  const events = await withSeqs(db, await withReferences(db, vault, placedEvents));
  return {
    events: events.map((event) => withEventId(ledgerId, event)),
    next: compareCursors(reached, after) > 0 ? reached : after,
    more: compareCursors(reached, settledEnd) < 0,
  };
}

/** The events of all sources in order, up to the first place where one stopped: beyond it, its events are missing. */
function merged(found: readonly Found[], after: EventCursor, settledEnd: EventCursor) {
  const end = found.reduce((first, source) => earlier(first, source.end ?? first), settledEnd);
  const placed = found
    .flatMap(({ events }) => events.map((event) => ({ event, place: cursorAfter(event) })))
    .filter(({ place }) => compareCursors(place, after) > 0 && compareCursors(place, end) <= 0)
    .toSorted((one, other) => compareCursors(one.place, other.place));
  return { placed, end };
}

const earlier = (one: EventCursor, other: EventCursor): EventCursor => (compareCursors(one, other) <= 0 ? one : other);

/** Adds what the institution called the requests on which consents were granted. They are erased with the identities. */
async function withReferences(
  db: PoolClient,
  vault: EventParts['vault'],
  events: readonly EventDraft[],
): Promise<readonly EventDraft[]> {
  const rows = events.flatMap(({ type, data }) => (type === 'consent.granted' ? [referenceRow(data.token_id)] : []));
  if (rows.length === 0) return events;
  const found = await vault.readAll(db, rows);
  return events.map((event) => {
    const row = event.type === 'consent.granted' && found.get(referenceRow(event.data.token_id));
    return row ? ({ ...event, data: { ...event.data, ...(row as { reference: string }) } } as EventDraft) : event;
  });
}

/** An expiry has no entry: its seq is that of the last entry before it. */
async function withSeqs(db: PoolClient, events: readonly EventDraft[]): Promise<readonly EventDraft[]> {
  const times = events.flatMap(({ type, at }) => (type === 'consent.expired' ? [at] : []));
  if (times.length === 0) return events;
  const firstSeqs = await firstSeqsFrom(db, times);
  return events.map((event) =>
    event.type === 'consent.expired' ? { ...event, seq: (firstSeqs.get(event.at) ?? 1) - 1 } : event,
  );
}

interface Settled {
  readonly institution: Institution;
  readonly horizon: Horizon;
}

/** The institution and the horizon, which is moved forward if one of its consents has expired since. */
async function settle(db: PoolClient, ieoId: IeoId, now: number): Promise<Settled | null> {
  const before = await readState(db, ieoId, now);
  if (!before?.due) return before;
  await advanceHorizon(db, now);
  return readState(db, ieoId, now);
}

interface StateRow {
  readonly head_seq: number;
  readonly head_at: Instant;
  readonly ieo_type: IeoType;
  readonly status: IeoStatus;
  readonly seq: number;
  readonly updated_at: Instant;
  readonly first_consent: number | null;
  readonly due: boolean;
}

async function readState(db: PoolClient, id: IeoId, now: number): Promise<(Settled & { due: boolean }) | null> {
  const { rows } = await db.query<StateRow>({
    name: 'events-of-institution',
    text: `SELECT h.seq AS head_seq, h.accepted_at AS head_at, i.ieo_type, i.status, i.seq, i.updated_at,
             (SELECT created_seq FROM tokens WHERE grantee_kind = 'IEO' AND grantee_id = i.id ORDER BY created_seq LIMIT 1)
               AS first_consent,
             EXISTS (SELECT FROM tokens WHERE grantee_kind = 'IEO' AND grantee_id = i.id
               AND expires_at > h.accepted_at AND expires_at <= $2::timestamptz) AS due
           FROM ledger_head h CROSS JOIN ieos i WHERE i.id = $1 AND h.accepted_at IS NOT NULL`,
    values: [id, new Date(now).toISOString()],
  });
  const [row] = rows;
  if (!row) return null;
  const ended = hasEnded(row) ? { seq: row.seq, at: row.updated_at } : null;
  return {
    institution: { id, ieoType: row.ieo_type, ended, firstConsent: row.first_consent },
    horizon: { seq: row.head_seq, at: row.head_at },
    due: row.due,
  };
}
