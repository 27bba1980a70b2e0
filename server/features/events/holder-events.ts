import type { EventType } from '../../../protocol/event-shapes.ts';
import { cursorAt, type EventDraft, wasLive } from '../../../protocol/events.ts';
import type { AnyOperation } from '../../../protocol/operations.ts';
import { entriesOfFunctions, type PlacedEntry } from '../../ledger/list-entries.ts';
import { type Consent, consentsFrom } from './consents.ts';
import { functionsOf, operationsYielding } from './functions.ts';
import { entriesWithEvents } from './replay-holder.ts';
import { type Asked, type Found, NOTHING, newEvent } from './source.ts';

type HolderType = Extract<EventType, `beo.${string}`>;
const isAboutHolder = (type: EventType): type is HolderType => type.startsWith('beo.');

const OPERATIONS = operationsYielding('BEO', isAboutHolder);
const FUNCTIONS = functionsOf(OPERATIONS);
const operationOf = ({ function: name }: PlacedEntry): AnyOperation | undefined =>
  OPERATIONS.find((operation) => operation.function === name);

/**
 * `beo.*`, for the holders who had a live consent for the institution at that moment. If the holder was destroyed, each
 * of these consents is also revoked.
 */
export async function holderEvents(asked: Asked): Promise<Found> {
  const { db, institution, low, horizon, until, scan } = asked;
  if (institution.firstConsent === null) return NOTHING;
  const range = {
    low: Math.max(low, institution.firstConsent),
    high: Math.min(horizon.seq, institution.ended?.seq ?? horizon.seq),
  };
  const entries = await entriesOfFunctions(db, FUNCTIONS, range, scan);
  const wanted = entries.filter(({ accepted_at }) => accepted_at <= until);
  const consents = await consentsFrom(
    asked,
    wanted.map(({ entity_id }) => entity_id),
  );
  const concerned = wanted.flatMap((entry) => {
    const place = { seq: entry.seq, at: entry.accepted_at };
    const live = (consents.get(entry.entity_id) ?? []).filter((consent) => wasLive(consent, place));
    return live.length > 0 ? [{ entry, live }] : [];
  });
  const conditional = concerned.filter(({ entry }) => operationOf(entry)?.yieldsEvents).map(({ entry }) => entry);
  const yielding = await entriesWithEvents(db, conditional);
  const last = entries.at(-1);
  return {
    events: concerned.flatMap(({ entry, live }) => {
      const operation = operationOf(entry);
      if (!operation || (operation.yieldsEvents && !yielding.has(entry.seq))) return [];
      return eventsOf(operation, entry, live);
    }),
    end: entries.length === scan && last ? cursorAt(last.seq, last.accepted_at) : null,
  };
}

function eventsOf(
  { events = [] }: AnyOperation,
  { id, seq, accepted_at: at, entity_id: beo_id }: PlacedEntry,
  live: readonly Consent[],
): EventDraft[] {
  const place = { seq, at };
  return events.flatMap((type) => {
    if (isAboutHolder(type)) return [newEvent(type, place, { transaction_id: id, beo_id })];
    return live.map((consent) =>
      newEvent('consent.revoked', place, { transaction_id: id, token_id: consent.id, beo_id }),
    );
  });
}
