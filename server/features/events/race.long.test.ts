import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Event, EventCursor } from '../../../protocol/events.ts';
import type { IeoId } from '../../../protocol/ids.ts';
import { createClock } from '../../platform/db/clock.ts';
import { startBeside, startTestService, type TestService } from '../../testing/test-service.ts';
import { type Parties, type Party, partiesOf, READING } from '../../write/test-parties.ts';
import { readEvents } from './read-events.ts';

/** Two processes with one database. The clock of the second is ahead. */
let first: TestService;
let second: TestService;
let parties: readonly [Parties, Parties];
beforeAll(async () => {
  first = await startTestService();
  const clock = createClock(Date.now, () => AHEAD_MS);
  second = await startBeside(first, {}, { clock });
  parties = [partiesOf(first), partiesOf(second)];
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

const AHEAD_MS = 20;
const EXPIRING = 200;
const WRITERS = 4;
const ROUNDS = 6;

/** Each batch of writes stays uncommitted for a while, so that readers often read while one is in flight. */
const slowDownBatches = () =>
  first.service.context.pool.query(
    `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.03); RETURN NULL; END';
     CREATE TRIGGER wait AFTER INSERT ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION wait()`,
  );

/** Copies of a consent that expire one after another while the test writes. */
async function addExpiring(tokenId: string): Promise<void> {
  const { rowCount } = await first.service.context.pool.query(
    `INSERT INTO tokens SELECT (jsonb_populate_record(t, jsonb_build_object('id', 'tok_' || gen_random_uuid(), 'scope_key', n,
       'expires_at', to_char(clock_timestamp() AT TIME ZONE 'UTC' + n * interval '10 ms', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))).*
     FROM tokens t, generate_series(1, $2::int) n WHERE t.id = $1`,
    [tokenId, EXPIRING],
  );
  expect(rowCount).toBe(EXPIRING);
}

/** Grants, locks, unlocks and revokes, again and again, through one of the two processes. */
async function write(index: number, lab: Party): Promise<void> {
  const { newHolder, granted, beo, revoke } = parties[index % 2] as Parties;
  const holder = await newHolder();
  for (let round = 0; round < ROUNDS; round++) {
    const { token_id } = await granted(holder, lab.id);
    await beo(holder, 'lock', 'lockBEO');
    await beo(holder, 'unlock', 'unlockBEO');
    expect((await revoke(holder, token_id)).status).toBe(200);
  }
}

async function follow({ context }: TestService['service'], ieoId: string, isDone: () => boolean): Promise<Event[]> {
  const events: Event[] = [];
  let after: EventCursor | null = null;
  for (let more = true; more || !isDone(); ) {
    const done = isDone();
    const page = await readEvents(context, ieoId as IeoId, after, 100);
    events.push(...page.events);
    after = page.next;
    more = page.more || !done;
  }
  return events;
}

test('a reader that follows the ledger misses nothing while two processes write and consents expire', async () => {
  const [{ newInstitution, newHolder, granted }] = parties;
  const lab = await newInstitution();
  const { token_id } = await granted(await newHolder(), lab.id, { ...READING, categories: ['BSP-CV'] });
  await slowDownBatches();
  await addExpiring(token_id);
  let done = false;
  const readers = [first, second, first].map(({ service }) => follow(service, lab.id, () => done));
  await Promise.all(Array.from({ length: WRITERS }, (_, index) => write(index, lab)));
  let all: Event[] = [];
  const expired = async () => {
    all = await follow(first.service, lab.id, () => true);
    return all.filter(({ type }) => type === 'consent.expired').length;
  };
  await expect.poll(expired).toBe(EXPIRING);
  done = true;
  expect(all).toHaveLength(2 * EXPIRING + 1 + WRITERS * ROUNDS * 4);
  expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).toSorted((one, other) => one - other));
  for (const reader of readers) expect((await reader).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
});
