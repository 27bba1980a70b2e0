import type { Pool } from 'pg';

/** What the bundles of a period cost. */
export interface Spending {
  /** The length of the period; shorter than asked for if the first bundle is younger, but at least an hour. */
  readonly days: number;
  readonly bundles: number;
  readonly operations: number;
  /** Each bundle counts once, with its latest price: a transaction that was replaced was never mined. */
  readonly winston: bigint;
}

/** The period over which the price of an operation and the spending are averaged. */
export const SPENDING_DAYS = 7;
const HOUR = 1 / 24;

/** What the bundles signed in the last days cost. */
export async function readSpending(db: Pick<Pool, 'query'>, days: number): Promise<Spending> {
  const { rows } = await db.query<{ bundles: number; operations: number; winston: string; days: number | null }>({
    name: 'read-spending',
    text: `SELECT count(*) AS bundles, coalesce(sum(last_seq - first_seq + 1), 0)::bigint AS operations,
        coalesce(sum(reward_winston), 0)::text AS winston,
        extract(epoch FROM clock_timestamp() - min(prepared_at))::float8 / 86400 AS days
      FROM bundles WHERE prepared_at >= clock_timestamp() - $1::float8 * interval '1 day'`,
    values: [days],
  });
  const [row] = rows;
  return {
    days: Math.max(HOUR, Math.min(days, row?.days ?? days)),
    bundles: row?.bundles ?? 0,
    operations: row?.operations ?? 0,
    winston: BigInt(row?.winston ?? 0),
  };
}

/** In winston; null if nothing was posted in the period. */
export const pricePerOperation = ({ winston, operations }: Spending): number | null =>
  operations === 0 ? null : Number(winston) / operations;

/** How long a balance lasts if the spending continues; Infinity if nothing was spent. */
export const daysLeft = (balance: bigint, { winston, days }: Spending): number =>
  winston === 0n ? Infinity : (Number(balance) * days) / Number(winston);

const WINSTON_PER_AR = 10n ** 12n;

/** An amount in AR, exact: `0.00057`. */
export function inAr(winston: bigint): string {
  const digits = (winston % WINSTON_PER_AR).toString().padStart(12, '0').replace(/0+$/, '');
  return `${winston / WINSTON_PER_AR}${digits === '' ? '' : `.${digits}`}`;
}
