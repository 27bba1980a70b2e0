import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { createCaller } from '../../http/trpc/router.ts';
import { createCursors } from '../../platform/db/cursor.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Party, READING } from '../../write/test-parties.ts';
import { EVENTS, type EventClients, eventsOf, summaryOf } from './test-events.ts';

let service: TestService;
let clients: EventClients;
let lab: Party;
let expected: string[];
beforeAll(async () => {
  service = await startTestService();
  clients = eventsOf(service);
  lab = await clients.newInstitution();
  const holder = await clients.newHolder();
  const tokens = [];
  for (const category of ['BSP-CV', 'BSP-LA', 'BSP-GL'])
    tokens.push(await clients.granted(holder, lab.id, { ...READING, categories: [category] }));
  await clients.beo(holder, 'revoke-all', 'revokeAllTokens');
  const ids = tokens.map(({ token_id }) => token_id as string);
  expected = [...ids.map((id) => `consent.granted ${id}`), ...ids.toSorted().map((id) => `consent.revoked ${id}`)];
});
afterAll(() => service.stop());

const read = async (options?: Parameters<EventClients['all']>[1]) => (await clients.all(lab, options)).map(summaryOf);

describe('a page of events', () => {
  test.each([1, 2, 5, 6, 7])('has at most %i, and the pages together have every event once', async (limit) => {
    expect(await read({ limit })).toEqual(expected);
  });

  test('is followed by later events, from the same cursor whenever it is used', async () => {
    const other = await clients.newInstitution();
    const { next_cursor: empty, events, has_more } = await clients.page(other);
    expect([events, has_more]).toEqual([[], false]);
    const { token_id } = await clients.granted(await clients.newHolder(), other.id);
    for (let times = 0; times < 2; times++) {
      const page = await clients.page(other, { after: empty });
      expect(page.events.map(summaryOf)).toEqual([`consent.granted ${token_id}`]);
      expect((await clients.page(other, { after: page.next_cursor })).events).toEqual([]);
    }
  });

  test('has the hundred first events unless a limit is given, and at most a thousand', async () => {
    expect((await clients.page(lab, { limit: 1_001 })).events).toHaveLength(6);
    for (const limit of ['0', '-1', '1.5', 'all']) {
      const body = await service.get(`${EVENTS}?ieoId=${lab.id}&limit=${limit}`);
      expectRefusal(body, 'VALIDATION_FAILED');
    }
  });

  test('is the same over tRPC', async () => {
    const caller = createCaller({ services: service.service.context, address: '192.0.2.1' });
    const body = clients.sign(lab.person, 'readEvents', { ieoId: lab.id });
    const page = await caller.events({ body, limit: 4 });
    const next = clients.sign(lab.person, 'readEvents', { ieoId: lab.id });
    const rest = await caller.events({ body: next, after: page.next_cursor, limit: 4 });
    expect([...page.events, ...rest.events].map(summaryOf)).toEqual(expected);
    expect([page.has_more, rest.has_more]).toEqual([true, false]);
  });
});

describe('one event', () => {
  const find = async (asker: Pick<Party, 'person'>, { id, at }: { id: string; at: string }) => {
    const caller = createCaller({ services: service.service.context, address: '192.0.2.1' });
    const body = clients.sign(asker.person, 'readEvents', { ieoId: lab.id });
    return caller.event({ body, id, at });
  };

  test('is found by its id and time among those of the same time', async () => {
    const events = await clients.all(lab);
    for (const event of events) expect((await find(lab, event)).event).toEqual(event);
    expect(new Set(events.slice(-3).map(({ at }) => at)).size).toBe(1);
  });

  test('is not found by another id or another time', async () => {
    const [first, last] = [(await clients.all(lab)).at(0), (await clients.all(lab)).at(-1)];
    if (!first || !last) throw new Error('The laboratory has events.');
    expect(await find(lab, { id: first.id, at: last.at })).toEqual({ event: null });
    expect(await find(lab, { id: 'evt_unknown', at: first.at })).toEqual({ event: null });
  });

  test('is read with the key of the institution only', async () => {
    const other = await clients.newInstitution();
    const refused = find(other, { id: 'evt_unknown', at: new Date().toISOString() });
    await expect(refused).rejects.toMatchObject({ message: expect.stringContaining('signature') });
  });
});

describe('a cursor is rejected', () => {
  const expectInvalid = async (after: string) => {
    const answer = await clients.read(lab, { after });
    expectRefusal(answer, 'VALIDATION_FAILED');
    expect(answer.body.error).toBe('This cursor does not belong to this list; start again without one.');
    expect(answer.body.details.issues[0].path).toBe('after');
  };

  test('if it was changed, or was made with another key', async () => {
    const { next_cursor: cursor } = await clients.page(lab, { limit: 1 });
    await expectInvalid(`${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`);
    await expectInvalid(`A${cursor.slice(1)}`);
    await expectInvalid('seven');
    const forged = createCursors(Buffer.alloc(32)).seal(`events of ${lab.id}`, ['2020-01-01T00:00:00.000Z', '1', '']);
    await expectInvalid(forged);
  });

  test('if it belongs to another institution or another list', async () => {
    const other = await clients.newInstitution();
    await expectInvalid((await clients.page(other)).next_cursor);
    const { cursors } = service.service.context;
    await expectInvalid(cursors.seal(`tokens to ${lab.id}`, ['2020-01-01T00:00:00.000Z', '1', '']));
  });
});

describe('events are read', () => {
  test('with the key of the institution only, by any form of its id', async () => {
    const other = await clients.newInstitution();
    const refused = await clients.read({ person: other.person, id: lab.id });
    expectRefusal(refused, 'INVALID_SIGNATURE');
    expect(refused.body.details.expected_key).toBe('IEO');
    for (const reference of [lab.domain, lab.transactionId])
      expect((await clients.read(lab, {}, reference)).body.events).toHaveLength(6);
    expectRefusal(await clients.read(lab, {}, (await clients.newHolder()).id), 'IEO_NOT_FOUND');
  });

  test('with a signature that is used once, in the headers', async () => {
    const { nonce, timestamp, signature } = clients.sign(lab.person, 'readEvents', { ieoId: lab.id });
    const headers = { 'x-signature': signature, 'x-nonce': nonce, 'x-timestamp': timestamp };
    const path = `${EVENTS}?ieoId=${lab.id}`;
    expectRefusal(await service.get(path), 'NONCE_REQUIRED');
    expectRefusal(await service.get(`${path}&nonce=${nonce}`, headers), 'VALIDATION_FAILED');
    const answer = await service.get(path, headers);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expectRefusal(await service.get(path, headers), 'NONCE_REUSED');
  });

  test('by an institution that is locked, suspended or revoked, and not by one that is destroyed', async () => {
    const party = await clients.newInstitution();
    const { token_id } = await clients.granted(await clients.newHolder(), party.id);
    await clients.ieo(party, 'lock', 'lockIEO');
    const changed = `ieo.status_changed ${party.id}`;
    const all = async () => (await clients.all(party)).map(summaryOf);
    expect(await all()).toEqual([`consent.granted ${token_id}`, changed]);
    await clients.decide('suspendIEO', { ieoId: party.id, reason: 'A complaint.' });
    expect(await all()).toEqual([`consent.granted ${token_id}`, changed, changed]);
    await clients.decide('revokeIEO', { ieoId: party.id, reason: 'Proven.' });
    expect(await all()).toEqual([`consent.granted ${token_id}`, changed, changed, changed]);

    const destroyed = await clients.newInstitution();
    await clients.ieo(destroyed, 'destroy', 'destroyIEO');
    expectRefusal(await clients.read(destroyed), 'IEO_DESTROYED');
  });
});
