import type { Decision } from '../../../protocol/entities/proposal.ts';
import type { EventType } from '../../../protocol/event-shapes.ts';
import { cursorAfter, type EventDraft } from '../../../protocol/events.ts';
import { functionsOf, operationsYielding } from './functions.ts';
import { type Asked, type Found, newEvent, type Row } from './source.ts';

type InstitutionType = Extract<EventType, `ieo.${string}`>;
const isAboutInstitution = (type: EventType): type is InstitutionType => type.startsWith('ieo.');

const OPERATIONS = operationsYielding('IEO', isAboutInstitution);
const FUNCTIONS = functionsOf(OPERATIONS);

/** `ieo.*`, from the operations about the institution itself. */
export async function ownEvents(asked: Asked): Promise<Found> {
  const { db, institution, low, horizon, most } = asked;
  const { rows } = await db.query<Row & { function: string }>({
    name: 'own-events',
    text: `SELECT id, seq, accepted_at AS at, function FROM ledger_entries
           WHERE entity_id = $1 AND seq BETWEEN $2 AND $3 AND function = ANY ($4::text[]) ORDER BY seq LIMIT $5`,
    values: [institution.id, low, horizon.seq, FUNCTIONS, most],
  });
  return eventsOf(asked, rows, ({ function: name }) =>
    OPERATIONS.filter((operation) => operation.function === name).flatMap(({ events = [] }) =>
      events.filter(isAboutInstitution),
    ),
  );
}

/** `ieo.*`, from executed proposals of the institute. */
export async function decidedEvents(asked: Asked): Promise<Found> {
  const { db, institution, low, horizon, most } = asked;
  const { rows } = await db.query<Row & { action: Decision['action'] }>({
    name: 'decided-events',
    text: `SELECT e.id, p.seq, e.accepted_at AS at, p.decision ->> 'action' AS action
           FROM proposals p JOIN ledger_entries e ON e.seq = p.seq
           WHERE p.ieo_id = $1 AND p.executed_at IS NOT NULL AND p.seq BETWEEN $2 AND $3 ORDER BY p.seq LIMIT $4`,
    values: [institution.id, low, horizon.seq, most],
  });
  return eventsOf(asked, rows, ({ action }) => [DECIDED[action]]);
}

const DECIDED = {
  suspendIEO: 'ieo.status_changed',
  reinstateIEO: 'ieo.status_changed',
  revokeIEO: 'ieo.status_changed',
  changeCertLevel: 'ieo.certification_changed',
} as const satisfies { readonly [Action in Decision['action']]: InstitutionType };

function eventsOf<Of extends Row>(
  asked: Asked,
  rows: readonly Of[],
  typesOf: (row: Of) => readonly InstitutionType[],
): Found {
  const events: EventDraft[] = rows.flatMap((row) =>
    typesOf(row).map((type) => newEvent(type, row, { transaction_id: row.id, ieo_id: asked.institution.id })),
  );
  const last = events.at(-1);
  return { events, end: rows.length === asked.most && last ? cursorAfter(last) : null };
}
