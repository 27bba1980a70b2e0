import type { Pool } from 'pg';
import { firstSeqsFrom } from '../../server/ledger/first-seqs.ts';
import type { Arrival } from './simulate.ts';

type Db = Pick<Pool, 'query'>;

/** What the bundles signed in a day or a week cost. */
export interface PeriodCost {
  /** Its first day, in UTC. */
  readonly from: string;
  readonly bundles: number;
  readonly operations: number;
  readonly bytes: number;
  readonly winston: bigint;
}

/** The last `count` days or weeks in which something was posted, oldest first. Weeks begin on Mondays. */
export async function readPeriods(db: Db, unit: 'day' | 'week', count: number): Promise<PeriodCost[]> {
  const { rows } = await db.query<Omit<PeriodCost, 'winston'> & { readonly winston: string }>(
    `SELECT to_char(date_trunc($1, prepared_at), 'YYYY-MM-DD') AS "from", count(*) AS bundles,
       sum(last_seq - first_seq + 1)::bigint AS operations, sum(bytes) AS bytes, sum(reward_winston)::text AS winston
     FROM bundles WHERE prepared_at >= date_trunc($1, now()) - ($2 - 1) * ('1 ' || $1)::interval
     GROUP BY 1 ORDER BY 1`,
    [unit, count],
  );
  return rows.map((row) => ({ ...row, winston: BigInt(row.winston) }));
}

const PAGE = 20_000;

/** The entries accepted since a time, in order. */
export async function* readArrivals(db: Db, since: number): AsyncGenerator<Arrival> {
  const from = new Date(since).toISOString();
  let next = (await firstSeqsFrom(db, [from])).get(from) ?? 1;
  while (true) {
    const { rows } = await db.query<Arrival & { readonly seq: number }>({
      name: 'arrivals',
      text: `SELECT seq, (extract(epoch FROM accepted_at) * 1000)::float8 AS at, octet_length(item) AS bytes
        FROM ledger_entries WHERE seq >= $1 ORDER BY seq LIMIT ${PAGE}`,
      values: [next],
    });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    next = last.seq + 1;
  }
}
