import type { Instant } from '../../../protocol/entities/recorded.ts';
import { cursorAfter, type EventDraft } from '../../../protocol/events.ts';
import { type Asked, type Found, newEvent, placeOf, type Row } from './source.ts';

interface ConsentRow extends Row {
  readonly token_id: string;
  readonly beo_id: string;
}

const RECEIVED = `grantee_kind = 'IEO' AND grantee_id = $1`;
/** Whether a place, as three expressions, is after the place of the request. */
const isAfter = (at: string, seq: string, type: string): string =>
  `(${at}, ${seq}, ('${type}:' || id) COLLATE "C") > ($4::timestamptz, $5::bigint, $6::text)`;

/** `consent.granted`. */
export async function grantedConsents(asked: Asked): Promise<Found> {
  const { db, institution, low, horizon, most } = asked;
  const { rows } = await db.query<ConsentRow & { expires_at: Instant | null }>({
    name: 'granted-events',
    text: `SELECT created_seq AS seq, granted_at AS at, transaction_id AS id, id AS token_id, beo_id, expires_at FROM tokens
           WHERE ${RECEIVED} AND created_seq BETWEEN $2 AND $3 AND ${isAfter('granted_at', 'created_seq', 'consent.granted')}
           ORDER BY created_seq, id COLLATE "C" LIMIT $7`,
    values: [institution.id, low, horizon.seq, ...placeOf(asked), most],
  });
  return upTo(
    most,
    rows,
    rows.map((row) => newEvent('consent.granted', row, { ...consentOf(row), expires_at: row.expires_at })),
  );
}

/** `consent.revoked`, where a consent was revoked. Those that ended with a holder: see holderEvents. */
export async function revokedConsents(asked: Asked): Promise<Found> {
  const { db, institution, after, horizon, most } = asked;
  const { rows } = await db.query<ConsentRow>({
    name: 'revoked-events',
    text: `WITH revoked AS (
             SELECT seq, revoked_at AS at, id AS token_id, beo_id FROM (
               SELECT id, beo_id, revoked_at, seq FROM tokens
               WHERE ${RECEIVED} AND revoked_at IS NOT NULL AND revoked_at BETWEEN $2::timestamptz AND $3::timestamptz
               -- Those whose row does not show it yet.
               UNION ALL SELECT t.id, t.beo_id, t.revoked_at, t.seq
               FROM revocations r JOIN effective_tokens t ON t.beo_id = r.beo_id AND t.seq = r.seq
               WHERE ${RECEIVED.replaceAll('grantee', 't.grantee')} AND t.stored_revoked_at IS NULL
                 AND r.at BETWEEN $2::timestamptz AND $3::timestamptz) ended
             WHERE seq <= $8 AND ${isAfter('revoked_at', 'seq', 'consent.revoked')}
             ORDER BY revoked_at, seq, id COLLATE "C" LIMIT $7)
           SELECT revoked.*, e.id FROM revoked JOIN ledger_entries e USING (seq) ORDER BY seq, token_id COLLATE "C"`,
    values: [institution.id, after.at, horizon.at, ...placeOf(asked), most, horizon.seq],
  });
  return upTo(
    most,
    rows,
    rows.map((row) => newEvent('consent.revoked', row, consentOf(row))),
  );
}

interface ExpiringRow extends ConsentRow {
  readonly revoked_at: Instant | null;
  /** When the holder was destroyed. */
  readonly destroyed_at: Instant | null;
}

/**
 * `consent.expired`, unless the consent had ended before. Their seq is that of their grant here: see readEvents.
 */
export async function expiredConsents(asked: Asked): Promise<Found> {
  const { db, institution, after, horizon, scan } = asked;
  const { rows } = await db.query<ExpiringRow>({
    name: 'expired-events',
    text: `WITH expired AS (
             SELECT * FROM effective_tokens WHERE ${RECEIVED} AND expires_at IS NOT NULL
               AND expires_at BETWEEN $2::timestamptz AND $3::timestamptz AND ${isAfter('expires_at', '0::bigint', 'consent.expired')}
             ORDER BY expires_at, id COLLATE "C" LIMIT $7)
           SELECT t.created_seq AS seq, t.expires_at AS at, t.transaction_id AS id, t.id AS token_id, t.beo_id, t.revoked_at,
             CASE WHEN b.status = 'DESTROYED' THEN b.updated_at END AS destroyed_at
           FROM expired t JOIN beos b ON b.id = t.beo_id ORDER BY t.expires_at, t.id COLLATE "C"`,
    values: [institution.id, after.at, horizon.at, ...placeOf(asked), scan],
  });
  const ends = ({ revoked_at, destroyed_at }: ExpiringRow) => [revoked_at, destroyed_at, institution.ended?.at ?? null];
  const events = rows.map((row) => newEvent('consent.expired', row, consentOf(row)));
  const { end } = upTo(scan, rows, events);
  return {
    events: events.filter((_, index) =>
      ends(rows[index] as ExpiringRow).every((ended) => ended === null || ended >= (rows[index]?.at ?? '')),
    ),
    end,
  };
}

const consentOf = ({ id, token_id, beo_id }: ConsentRow) => ({ transaction_id: id, token_id, beo_id });

/** Events of rows that were read with a limit. */
function upTo(limit: number, rows: readonly Row[], events: readonly EventDraft[]): Found {
  const last = events.at(-1);
  return { events, end: rows.length === limit && last ? cursorAfter(last) : null };
}
