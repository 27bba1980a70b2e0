import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EventCursor } from '../../../protocol/events.ts';
import type { IeoId } from '../../../protocol/ids.ts';
import { createClock } from '../../platform/db/clock.ts';
import { createPool } from '../../platform/db/pool.ts';
import { newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import { type Party, READING } from '../../write/test-parties.ts';
import { type Guardians, guardiansOf } from '../guardians/test-guardians.ts';
import { DAY, measurement } from '../records/test-exchange.ts';
import { type Horizon, readHorizon } from './horizon.ts';
import { readNews } from './news.ts';
import { readEvents } from './read-events.ts';
import { type EventClients, eventsOf } from './test-events.ts';

let shift = 0;
const now = () => Date.now() + shift;
let service: TestService;
let clients: EventClients;
let guardians: Guardians;
beforeAll(async () => {
  service = await startTestService({}, { clock: createClock(Date.now, () => shift) });
  clients = eventsOf(service, now);
  guardians = guardiansOf(service, now);
});
afterAll(() => service.stop());

async function withWebhook(): Promise<Party> {
  const party = await clients.newInstitution();
  const contacts = { apiEndpoint: null, webhookUrl: 'https://lab.example.org/events' };
  expect((await clients.ieo(party, 'contacts', 'updateContacts', contacts)).status).toBe(200);
  return party;
}

/** Follows the news and the events of some institutions. */
function follower(parties: readonly Party[]) {
  let since: Horizon = { seq: 0, at: '1970-01-01T00:00:00.000Z' };
  const cursors = new Map<string, EventCursor>();

  /** The institutions with news, and those with new events, by their place in the list. */
  return async () => {
    const { context } = service.service;
    const { institutions, horizon } = await readNews(context.listPool, since, context.clock.now());
    since = horizon ?? since;
    const withEvents: number[] = [];
    for (const [index, { id }] of parties.entries()) {
      const { events, next } = await readEvents(context, id as IeoId, cursors.get(id) ?? null, 1_000);
      cursors.set(id, next);
      if (events.length > 0) withEvents.push(index);
    }
    const indexes = institutions.map((id) => parties.findIndex((party) => party.id === id));
    return { news: indexes.filter((index) => index >= 0).toSorted(), events: withEvents };
  };
}

test('the institutions with a webhook that have new events are found after every kind of operation', async () => {
  const [lab, other, silent] = [await withWebhook(), await withWebhook(), await clients.newInstitution()];
  const { holder, guardians: accepted } = await guardians.guarded();
  const step = follower([lab, other, silent]);
  expect(await step()).toEqual({ news: [], events: [] });
  /** Runs an operation and expects new events for these institutions. */
  const expectNews = async (act: () => Promise<unknown>, ...of: readonly number[]) => {
    const result = await act();
    expect(await step()).toEqual({ news: of.filter((index) => index < 2), events: of });
    return result;
  };

  const both = { intents: ['SUBMIT_RECORD', 'READ_RECORDS'], categories: ['*'] };
  const { token_id } = await clients.granted(holder, lab.id, both);
  expect(await step()).toEqual({ news: [0], events: [0] });
  const use = { by: lab, holder, tokenId: token_id };
  await expectNews(() => clients.granted(holder, other.id, READING, 1), 1);
  await expectNews(() => clients.granted(holder, silent.id, READING, 2), 2);
  const { record_ids } = await clients.exchange.submitted(use, [measurement()]);
  expect(await step()).toEqual({ news: [], events: [] });
  await expectNews(
    () => clients.exchange.submitted(use, [measurement({ value: 1, supersedes: record_ids[0] })]),
    0,
    1,
    2,
  );
  await expectNews(() => clients.beo(holder, 'lock', 'lockBEO'), 0, 1, 2);
  await expectNews(() => clients.beo(holder, 'unlock', 'unlockBEO'), 0, 1, 2);
  const next = newPerson();
  await expectNews(() => guardians.recovered({ holder, guardians: accepted }, next), 0, 1, 2);
  const recovered = { ...holder, person: next };
  await expectNews(() => clients.ieo(other, 'lock', 'lockIEO'), 1);
  await expectNews(() => clients.institute('certification', { ieoId: lab.id, level: 'BASIC' }, 1), 0);
  await expectNews(() => clients.decide('changeCertLevel', { ieoId: lab.id, level: 'ADVANCED' }), 0);
  shift += DAY;
  expect(await step()).toEqual({ news: [1], events: [1] });
  expect(await step()).toEqual({ news: [], events: [] });
  await expectNews(() => clients.revokeIntent(recovered, 'SUBMIT_RECORD'), 0);
  await expectNews(() => clients.granted(recovered, lab.id, READING), 0);
  await expectNews(() => clients.beo(recovered, 'destroy', 'destroyBEO'), 0, 2);
});

test('the institutions with news are found whichever plan follows from new statistics', async () => {
  const labs = await Promise.all(Array.from({ length: 40 }, withWebhook));
  const pool = createPool(service.databaseUrl, 1, () => undefined);
  const grantedToTen = async () => {
    const holder = await clients.newHolder();
    for (const { id } of labs.slice(0, 10)) await clients.granted(holder, id, READING);
  };
  try {
    await grantedToTen();
    // As autovacuum does between any two operations.
    await pool.query('ANALYZE');
    const since = await readHorizon(pool);
    await grantedToTen();
    for (const join of ['nestloop', 'hashjoin', 'mergejoin']) {
      await pool.query(`SET enable_${join} = off`);
      const { institutions } = await readNews(pool, since as Horizon, now());
      expect(institutions, join).toHaveLength(10);
      await pool.query(`SET enable_${join} = on`);
    }
  } finally {
    await pool.end();
  }
});
