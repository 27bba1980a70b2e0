import type { Instant } from '../../../protocol/entities/recorded.ts';
import { cursorAfter, type EventCursor, wasLive } from '../../../protocol/events.ts';
import { categoriesCoveredBy } from '../../../protocol/records/coverage.ts';
import { type Consent, consentsFrom } from './consents.ts';
import { type Asked, type Found, type Institution, NOTHING, newEvent, placeOf, type Row } from './source.ts';

interface SupersededRow extends Row {
  readonly record_id: string;
  readonly beo_id: string;
  /** The institution that submitted the record and its correction. */
  readonly ieo_id: string;
  readonly category: string;
  readonly collected_at: Instant;
}

/**
 * `records.superseded`, for the institution that submitted the record, and for those that could read it then: a live
 * consent to read covered it. A consent with a maximum of records shows only the newest; what that covered cannot be
 * decided later. Erased with the records.
 */
export async function supersededRecords(asked: Asked): Promise<Found> {
  const { db, institution, low, horizon, until, scan } = asked;
  if (institution.firstConsent === null) return NOTHING;
  const high = Math.min(horizon.seq, institution.ended?.seq ?? horizon.seq);
  const { rows } = await db.query<SupersededRow>({
    name: 'superseded-events',
    text: `SELECT e.id, r.superseded_seq AS seq, e.accepted_at AS at, r.id AS record_id, r.owner_id AS beo_id, r.ieo_id,
             r.category, r.collected_at
           FROM records r JOIN ledger_entries e ON e.seq = r.superseded_seq
           WHERE r.superseded_seq IS NOT NULL AND r.superseded_seq BETWEEN $2 AND $3
             AND (e.accepted_at, e.seq, ('records.superseded:' || r.id) COLLATE "C") > ($4::timestamptz, $5::bigint, $6::text)
           ORDER BY r.superseded_seq, r.id LIMIT $1`,
    values: [scan, Math.max(low, institution.firstConsent), high, ...placeOf(asked)],
  });
  const others = rows.filter(({ ieo_id, at }) => ieo_id !== institution.id && at <= until);
  const consents = await consentsFrom(
    asked,
    others.map(({ beo_id }) => beo_id),
  );
  const isAllowed = (row: SupersededRow): boolean =>
    row.ieo_id === institution.id ||
    (consents.get(row.beo_id) ?? []).some((consent) => wasLive(consent, row) && couldRead(consent, institution, row));
  const events = rows.map((row) =>
    newEvent('records.superseded', row, {
      transaction_id: row.id,
      record_id: row.record_id,
      beo_id: row.beo_id,
    }),
  );
  const last = events.at(-1);
  const end: EventCursor | null = rows.length === scan && last ? cursorAfter(last) : null;
  return { events: events.filter((_, index) => isAllowed(rows[index] as SupersededRow)), end };
}

function couldRead(
  { scope }: Consent,
  { ieoType }: Institution,
  { category, collected_at: at }: SupersededRow,
): boolean {
  const { from, to } = scope.period ?? { from: null, to: null };
  return (
    scope.intents.includes('READ_RECORDS') &&
    scope.max_records === null &&
    categoriesCoveredBy(scope, ieoType).includes(category) &&
    (from === null || Date.parse(from) <= Date.parse(at)) &&
    (to === null || Date.parse(at) <= Date.parse(to))
  );
}
