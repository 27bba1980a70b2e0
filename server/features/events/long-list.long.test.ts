import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { IeoId } from '../../../protocol/ids.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import type { Party } from '../../write/test-parties.ts';
import { readEvents } from './read-events.ts';
import { type EventClients, eventsOf } from './test-events.ts';

const COUNT = 10_000;
const MIB = 1024 * 1024;

let service: TestService;
let clients: EventClients;
let lab: Party;
let holder: Party;
beforeAll(async () => {
  service = await startTestService({ BUNDLE_MAX_AGE_MS: '2000000000' });
  clients = eventsOf(service);
  [lab, holder] = [await clients.newInstitution(), await clients.newHolder()];
  const { token_id } = await clients.granted(holder, lab.id);
  await addConsents(token_id);
});
afterAll(() => service.stop());

/** Adds consents with entries of their own: the columns that events are derived from are those of a real consent. */
async function addConsents(tokenId: string): Promise<void> {
  const { pool } = service.service.context;
  await pool.query(
    `WITH head AS (SELECT seq, epoch, accepted_at FROM ledger_head),
       placed AS (SELECT seq + n AS seq, epoch, lpad(n || 'A', 43, 'x') AS id, 'tok_' || gen_random_uuid() AS token_id,
         accepted_at + n * interval '1 ms' AS at FROM head, generate_series(1, $2::int) n),
       entries AS (INSERT INTO ledger_entries SELECT seq, epoch, id, 'grantConsent', token_id, at, '' FROM placed),
       moved AS (UPDATE ledger_head SET (seq, id, accepted_at) =
         (SELECT seq, id, at FROM placed ORDER BY seq DESC LIMIT 1))
     INSERT INTO tokens SELECT (jsonb_populate_record(t, jsonb_build_object('id', p.token_id, 'scope_key', p.id, 'granted_at', p.at,
       'transaction_id', p.id, 'seq', p.seq, 'created_seq', p.seq))).* FROM placed p, tokens t WHERE t.id = $1`,
    [tokenId, COUNT],
  );
}

/** Reads every event and returns their number and the growth of memory in MiB; keeps one page at a time. */
async function readThrough(limit: number) {
  const { context } = service.service;
  const before = process.memoryUsage().rss;
  const ids = new Set<string>();
  let peak = before;
  for (let after = null as Parameters<typeof readEvents>[2], more = true; more; ) {
    const page = await readEvents(context, lab.id as IeoId, after, limit);
    for (const { id } of page.events) ids.add(id);
    peak = Math.max(peak, process.memoryUsage().rss);
    after = page.next;
    more = page.more;
  }
  return { count: ids.size, growth: (peak - before) / MIB };
}

describe('ten thousand events', () => {
  test('are read over HTTP in pages of the maximum length', async () => {
    expect(await clients.all(lab, { limit: 1_000 })).toHaveLength(COUNT + 1);
  });

  test('that follow from one entry are read in pages, in little memory', async () => {
    expect((await clients.beo(holder, 'destroy', 'destroyBEO')).status).toBe(200);
    const { count, growth } = await readThrough(1_000);
    expect(count).toBe(2 * (COUNT + 1) + 1);
    expect(growth).toBeLessThan(200);
  });
});
