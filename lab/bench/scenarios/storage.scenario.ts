import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { makeFinal } from '../api.ts';
import type { Figure } from '../figures.ts';
import { BATCH, type Workload } from '../load/workloads.ts';
import { createHolders, createInstitutions, grantEach } from '../parties.ts';
import type { ServerProcess } from '../server-process.ts';
import type { Scenario } from '../session.ts';

const HOLDERS = 200;
const INSTITUTIONS = 5;
/** Deleted ten minutes after the request, so that their number depends on the load and not on what is stored. */
const TEMPORARY = ['nonces', 'mail_counts', 'reserve_uses'];

/** The items of all entries, which the network has too. */
const ON_NETWORK = 'on the network';

/** Bytes of each table with its large values, of its indexes, and its rows. */
const SIZES = `SELECT c.relname AS name, pg_table_size(c.oid)::float AS table, pg_indexes_size(c.oid)::float AS indexes
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind = 'r' AND n.nspname = 'public' AND c.relname <> ALL ($1)
  UNION ALL SELECT '${ON_NETWORK}', coalesce(sum(length(item)), 0)::float, 0 FROM ledger_entries`;

interface Size {
  readonly name: string;
  readonly table: number;
  readonly indexes: number;
}

/** What a database and the network keep for each identity, consent and record: what docs/scaling.md computes with. */
export const storage: Scenario = {
  name: 'storage',
  async run(session) {
    const server = await session.server();
    const holders = await createHolders(server.url, HOLDERS);
    const institutions = await createInstitutions(server.url, INSTITUTIONS);
    const scope = { intents: ['SUBMIT_RECORD'], categories: ['*'], max_records: null };
    const consents = await grantEach(server.url, holders, institutions.slice(0, 1), scope);
    const count = 2 * session.settings.writes;
    const ieoIds = institutions.map(({ ieoId }) => ieoId);
    const batches = Math.ceil(count / BATCH);
    const kinds: readonly { of: string; made: number; workload: Workload }[] = [
      { of: 'an identity', made: count, workload: { kind: 'createBEO', from: 0, count } },
      { of: 'a consent', made: count, workload: { kind: 'grantConsent', from: 0, count, holders, ieoIds } },
      {
        of: `a record, in submissions of ${BATCH}`,
        made: batches * BATCH,
        workload: { kind: 'submitRecords', from: 0, count: batches, consents },
      },
    ];
    const figures: Figure[] = [];
    for (const { of, made, workload } of kinds) {
      const before = await sizesOf(server);
      await session.measure(server, { workload });
      const after = await sizesOf(server);
      const grown = after
        .map(({ name, table, indexes }) => {
          const old = before.find((each) => each.name === name);
          return { name, table: (table - (old?.table ?? 0)) / made, indexes: (indexes - (old?.indexes ?? 0)) / made };
        })
        .filter(({ table, indexes }) => table + indexes >= 1);
      for (const { name, table, indexes } of grown) {
        session.log(`${of}: ${name} ${table.toFixed(0)} B, its indexes ${indexes.toFixed(0)} B`);
      }
      const stored = grown.filter(({ name }) => name !== ON_NETWORK);
      const sum = (bytes: (size: Size) => number, sizes = stored) =>
        sizes.reduce((total, size) => total + bytes(size), 0);
      figures.push(
        { name: `${of}: tables`, unit: 'B', rounds: [sum(({ table }) => table)] },
        { name: `${of}: indexes`, unit: 'B', rounds: [sum(({ indexes }) => indexes)] },
        {
          name: `${of}: ${ON_NETWORK}`,
          unit: 'B',
          rounds: [sum(({ table }) => table, grown) - sum(({ table }) => table)],
        },
      );
    }
    return figures;
  },
};

/** After everything is final, without the space of dead rows. */
async function sizesOf({ url, dataDir }: ServerProcess): Promise<readonly Size[]> {
  await makeFinal(url);
  const running = JSON.parse(readFileSync(join(dataDir, 'running.json'), 'utf8')) as { database_url: string };
  const client = new pg.Client({ connectionString: running.database_url });
  await client.connect();
  try {
    await client.query('VACUUM');
    return (await client.query<Size>(SIZES, [TEMPORARY])).rows;
  } finally {
    await client.end();
  }
}
