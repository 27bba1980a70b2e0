import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventCursor } from '../../../protocol/events.ts';
import type { IeoId } from '../../../protocol/ids.ts';
import { lockHead } from '../../ledger/head.ts';
import { createClock } from '../../platform/db/clock.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Party, READING } from '../../write/test-parties.ts';
import { DAY } from '../records/test-exchange.ts';
import { readEvents } from './read-events.ts';
import { type EventClients, eventsOf } from './test-events.ts';

const MINUTE = 60_000;

let shift = 0;
let service: TestService;
let clients: EventClients;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  clients = eventsOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

const read = async ({ id }: Party, after: EventCursor | null = null) => {
  const { events, next } = await readEvents(service.service.context, id as IeoId, after, 100);
  return { types: events.map(({ type }) => type), next };
};

/** An institution with a consent that expires in a day. */
async function withConsent() {
  const [lab, holder] = [await clients.newInstitution(), await clients.newHolder()];
  await clients.granted(holder, lab.id, READING, 1);
  return { lab, holder };
}

test('an expiry is read only when no write that began before it can still be accepted', async () => {
  const { lab } = await withConsent();
  const { pool } = service.service.context;
  const writer = await pool.connect();
  await writer.query('BEGIN');
  const { acceptedAt } = await lockHead(writer);
  shift += 2 * DAY;
  const during = await read(lab);
  await writer.query('ROLLBACK');
  writer.release();
  expect(during.types).toEqual(['consent.granted']);
  expect(during.next.at).toBe(acceptedAt);
  expect((await read(lab, during.next)).types).toEqual(['consent.expired']);
});

test('a write of a process whose clock is behind is read after the expiry that another one read', async () => {
  const { lab, holder } = await withConsent();
  await clients.granted(holder, lab.id, { ...READING, categories: ['BSP-CV'] });
  shift += DAY;
  const { types, next } = await read(lab);
  expect(types.at(-1)).toBe('consent.expired');
  shift -= MINUTE;
  const locked = await clients.beo(holder, 'lock', 'lockBEO');
  expect(locked.status, JSON.stringify(locked.body)).toBe(200);
  expect((await read(lab, next)).types).toEqual(['beo.locked']);
});
