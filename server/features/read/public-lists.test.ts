import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { everyNth } from '../../../protocol/test-amount.ts';
import { expectRefusal } from '../../http/rest/test-refusal.ts';
import { createCaller } from '../../http/trpc/router.ts';
import { publicError } from '../../http/trpc/trpc-errors.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Parties, partiesOf } from '../../write/test-parties.ts';
import { findStatement, MAX_MATCHES } from './find-ieos.ts';
import { submissionsOf, submissionsStatement } from './submissions.ts';

let service: TestService;
let parties: Parties;
let direct: pg.Pool;
beforeAll(async () => {
  service = await startTestService({}, { databaseWaitMs: null });
  parties = partiesOf(service);
  direct = new pg.Pool({ connectionString: service.databaseUrl, max: 2 });
});
afterAll(async () => {
  await direct.end();
  await service.stop();
});

/** Locks tables until the end of the test, so that reads of them wait. */
async function lockTables(...tables: string[]): Promise<void> {
  const client = await direct.connect();
  onTestFinished(async () => {
    await client.query('ROLLBACK');
    client.release();
  });
  await client.query('BEGIN');
  for (const table of tables) await client.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
}

/** The number of statements that wait for a table. */
async function waitingStatements(): Promise<number> {
  const { rowCount } = await direct.query(`SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'relation'`);
  return rowCount ?? 0;
}

describe('lists that take too long', () => {
  test('return 503 with Retry-After and do not block reads and writes of identities', async () => {
    const holder = await parties.newHolder();
    await lockTables('ieo_counts', 'proposals');
    const call = createCaller({ services: service.service.context, address: '192.0.2.1' });
    const lists = Array.from({ length: 30 }, () => service.get('/api/ieos?limit=1'));
    const proposals = Array.from({ length: 10 }, () =>
      call.proposals({}).then(
        () => 'returned',
        (error: unknown) => publicError(error).code,
      ),
    );
    expect((await service.get(`/api/beos/${holder.id}`)).status).toBe(200);
    const created = await parties.newHolder();
    expect((await service.get(`/api/beos/domain/${created.domain}`)).body.beo.beo_id).toBe(created.id);
    for (const answer of await Promise.all(lists)) {
      expectRefusal(answer, 'UNAVAILABLE');
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    expect(new Set(await Promise.all(proposals))).toEqual(new Set(['UNAVAILABLE']));
  });

  const OTHERS: [name: string, table: string, path: () => Promise<string>][] = [
    ['history of consents', 'tokens', async () => `/api/consent/history/${(await parties.newHolder()).domain}?limit=1`],
    ['entries of the ledger', 'ledger_entries', async () => '/api/ledger/entries?after=0'],
  ];
  test.each(everyNth(2, OTHERS))('return 503, such as the %s', async (_, table, path) => {
    const address = await path();
    const holder = await parties.newHolder();
    const settled = async () =>
      (await direct.query('SELECT 1 FROM bundles WHERE status <> $1', ['FINAL'])).rowCount === 0;
    await expect.poll(settled).toBe(true);
    await lockTables(table);
    const answers = Promise.all(Array.from({ length: 20 }, () => service.get(address)));
    await expect.poll(waitingStatements).toBeGreaterThanOrEqual(4);
    expect((await service.get(`/api/beos/${holder.id}`)).status).toBe(200);
    for (const answer of await answers) expectRefusal(answer, 'UNAVAILABLE');
  });
});

describe('a search for institutions', () => {
  test('sorts a limited number of matches, with and without statistics', async () => {
    const count = 4 * MAX_MATCHES;
    await direct.query(`INSERT INTO ieos (id, domain, display_name, ieo_type, key_version, status, created_at, updated_at, cert_level,
        certification, contacts, recovery, transaction_id, seq, created_seq)
      SELECT gen_random_uuid(), 'wren-' || n || '.bsp', 'Wren Clinic ' || n, 'LAB', 1, 'ACTIVE', now(), now(),
        CASE WHEN n % 2 = 0 THEN 'BASIC' ELSE 'UNCERTIFIED' END, '{}', '{}', '{}', n, n, n FROM generate_series(1, ${count}) n`);
    for (const prepare of ['SELECT 1', 'ANALYZE ieos']) {
      await direct.query(prepare);
      for (const query of [`'wren':*`, `'wr':* & 'cl':*`, `'clinic':*`, `'wren':* & '7':*`]) {
        const { text, values } = findStatement(query, 20, true);
        const client = await direct.connect();
        await client.query('SET enable_seqscan = off');
        const { rows } = await client
          .query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values)
          .finally(() => client.release());
        const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan);
        const sorted = nodes.filter((node) => node['Node Type'] === 'Sort').flatMap(({ Plans = [] }) => Plans);
        expect(sorted).toHaveLength(1);
        expect(sorted[0]?.['Actual Rows']).toBeLessThanOrEqual(2 * MAX_MATCHES);
        const indexes = nodes.flatMap((node) => node['Index Name'] ?? []);
        expect(indexes.filter((name) => name !== 'bundles_pkey')).toEqual([
          'ieos_words_certified',
          'ieos_words_uncertified',
          'ieos_words_inactive',
        ]);
      }
    }
  });
});

describe('the submissions of an institution', () => {
  const COUNT = 2_000;
  const PAGE = 200;

  /** Adds submissions under a consent each. Their seqs are negative, so that nothing posts them. */
  async function addSubmissions(tokenId: string): Promise<void> {
    await direct.query(
      `WITH added AS (SELECT -n AS seq, lpad(n || 'A', 43, 'x') AS id, 'tok_' || gen_random_uuid() AS token_id,
           '"commitments":["' || repeat(repeat('0', 64) || '","', n % 3) || repeat('0', 64) || '"],' AS item
         FROM generate_series(1, $2::int) n),
         entries AS (INSERT INTO ledger_entries
           SELECT seq, 1, id, 'submitRecords', token_id, now(), convert_to(item, 'UTF8') FROM added)
       INSERT INTO tokens SELECT (jsonb_populate_record(t, jsonb_build_object('id', a.token_id, 'scope_key', a.id,
         'transaction_id', a.id, 'seq', a.seq, 'created_seq', a.seq))).* FROM added a, tokens t WHERE t.id = $1`,
      [tokenId, COUNT],
    );
  }

  /** The blocks of the database that a page reads. */
  async function blocksRead(ieoId: string, before: number | null): Promise<number> {
    const { text, values } = submissionsStatement(ieoId, PAGE, before);
    const explained = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`;
    const { rows } = await service.service.context.listPool.query(explained, values);
    const { Plan: plan } = rows[0]['QUERY PLAN'][0];
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  }

  test('cost as much on the last page of a long list as on the first, and show the number of records', async () => {
    const [holder, lab] = [await parties.newHolder(), await parties.newInstitution()];
    const { token_id } = await parties.granted(holder, lab.id, { intents: ['SUBMIT_RECORD'], categories: ['*'] });
    await addSubmissions(token_id);
    const last = PAGE - COUNT;
    // The first use of a statement reads the catalogue too.
    await blocksRead(lab.id, null);
    const [first, end] = [await blocksRead(lab.id, null), await blocksRead(lab.id, last)];
    expect(Math.abs(end / first - 1)).toBeLessThan(0.02);
    const listed = await submissionsOf(service.service.context, lab.id, PAGE, last);
    expect(listed.map(({ seq, records }) => [seq, records])).toEqual(
      Array.from({ length: PAGE }, (_, index) => [last - 1 - index, 1 + ((index + 1 - last) % 3)]),
    );
  });
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];
