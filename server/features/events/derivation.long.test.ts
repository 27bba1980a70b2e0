import { expect, test } from 'vitest';
import { createGuardians, newGuarded, recover } from '../../../auditor/audit/test-guardians.ts';
import { createConsents, grant, newInstitution } from '../../../auditor/audit/test-institutions.ts';
import { act, query, testOperator } from '../../../auditor/audit/test-operator.ts';
import { restore } from '../../../commands/restore/rebuild-database.ts';
import { type Event, FIRST_CURSOR } from '../../../protocol/events.ts';
import type { IeoId } from '../../../protocol/ids.ts';
import type { Service } from '../../processes/service.ts';
import { openEventCursor, sealEventCursor } from './list-events.ts';
import { type EventPage, readEvents } from './read-events.ts';
import { type ReplayedEvent, replayedEvents } from './test-replay.ts';

const YEAR = 366 * 24 * 3_600_000;
/** A year ahead, when consents have expired. */
const LATER = Date.now() + YEAR;

const page = ({ context }: Service, ieoId: string, after: EventPage['next'] | null, limit: number) =>
  readEvents({ ...context, clock: { now: () => LATER } }, ieoId as IeoId, after, limit);

async function allEvents(service: Service, ieoId: string, limit: number, from: EventPage['next'] | null = null) {
  const events: Event[] = [];
  for (let after = from, more = true; more; ) {
    const read = await page(service, ieoId, after, limit);
    events.push(...read.events);
    after = read.next;
    more = read.more;
  }
  return events;
}

const withoutId = ({ type, at, seq, data }: Event): ReplayedEvent => {
  const { token_id, beo_id, ieo_id } = { ...data } as Readonly<Record<string, string>>;
  return { type, subject: token_id ?? beo_id ?? ieo_id ?? '', transactionId: data.transaction_id, seq, at };
};

test('events are what a replay of the ledger shows, whatever the length of the pages, and the same after a restore', async () => {
  const operator = await testOperator();
  const databaseUrl = await operator.database();
  const service = await operator.serve(databaseUrl);
  await createConsents(service, 7);
  const lab = await newInstitution(service);
  const guarded = await newGuarded(service);
  for (const days of [null, 1, 30]) await grant(service, guarded, lab.ieoId, [intentOf(days)], days);
  await createGuardians(service);
  const { person, beoId } = await recover(service, guarded);
  await act(service, person, 'revokeAllTokens', { beoId });
  for (const days of [1, 2]) await grant(service, { person, beoId }, lab.ieoId, [intentOf(days)], days);
  await act(service, person, 'lockBEO', { beoId });

  const ieos = (await query<{ id: string }>(databaseUrl, 'SELECT id FROM ieos ORDER BY created_seq')).map(
    ({ id }) => id,
  );
  const before = new Map<string, Event[]>();
  for (const id of ieos) {
    const events = await allEvents(service, id, 1_000);
    before.set(id, events);
    const replayed = await replayedEvents(
      service.context.pool,
      service.context.ledgerId,
      id,
      new Date(LATER).toISOString(),
    );
    expect(events.map(withoutId)).toEqual(replayed);
    expect(await allEvents(service, id, 1)).toEqual(events);
    expect(await allEvents(service, id, 3)).toEqual(events);
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
  }
  const types = new Set([...before.values()].flat().map(({ type }) => type));
  expect([...types].toSorted()).toEqual([
    'beo.destroyed',
    'beo.key_rotated',
    'beo.locked',
    'consent.expired',
    'consent.granted',
    'consent.revoked',
    'ieo.certification_changed',
    'ieo.status_changed',
  ]);

  const { next } = await page(service, lab.ieoId, null, 4);
  const cursor = sealEventCursor(service.context.cursors, lab.ieoId as IeoId, next);
  await operator.settle(databaseUrl);
  await service.stop();
  const restoredUrl = await operator.database();
  expect((await operator.run((parts) => restore({}, parts), restoredUrl)).text).toContain('Restored');
  const restored = await operator.serve(restoredUrl);
  for (const [id, events] of before) {
    expect(withoutLaterSeqs(await allEvents(restored, id, 100))).toEqual(withoutLaterSeqs(events));
  }
  const from = openEventCursor(restored.context.cursors, lab.ieoId as IeoId, cursor, 'after');
  expect(withoutLaterSeqs(await allEvents(restored, lab.ieoId, 2, from))).toEqual(
    withoutLaterSeqs(before.get(lab.ieoId)?.slice(4) ?? []),
  );
  expect((await page(restored, lab.ieoId, FIRST_CURSOR, 4)).next).toEqual(from);
});

/** The entry of the restore comes before consents that expire after it. */
const withoutLaterSeqs = (events: readonly Event[]) =>
  events.map((event) => (event.type === 'consent.expired' ? { ...event, seq: 'of the last entry before' } : event));

const intentOf = (days: number | null): string =>
  days === null ? 'READ_RECORDS' : days === 1 ? 'EXPORT_DATA' : 'ANALYZE_VITALITY';
