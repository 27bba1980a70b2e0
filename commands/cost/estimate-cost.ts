import { DAY_MS } from '../../protocol/days.ts';
import { type Config, readConfig } from '../../server/config.ts';
import { MAX_BUNDLE_BYTES } from '../../server/ledger/relay.ts';
import { readSpending, SPENDING_DAYS } from '../../server/ledger/spending.ts';
import type { ArweaveClient } from '../../server/network/arweave-client.ts';
import { CHUNK_BYTES } from '../../server/network/arweave-transaction.ts';
import { createGateways } from '../../server/network/gateways.ts';
import {
  type CommandHooks,
  openDatabase,
  openNetwork,
  runningService,
} from '../../server/platform/command-line/operator.ts';
import { createPool, LONG_RUNNING } from '../../server/platform/db/pool.ts';
import { type PeriodCost, readArrivals, readPeriods } from './read-costs.ts';
import { type Simulated, simulate } from './simulate.ts';

/** Amounts are in winston; those of an operation are rounded to a whole one. Null: nothing to divide by. */
export interface CostReport {
  readonly now: {
    /** Of a bundle of one chunk, as the gateway quotes it. */
    readonly bundle: bigint;
    /** At the operations per bundle of the last days. */
    readonly operation: bigint | null;
    readonly operationsPerBundle: number | null;
  };
  readonly wallet: {
    readonly address: string;
    readonly balance: bigint;
    readonly spent: bigint;
    readonly spentDays: number;
    readonly daysLeft: number | null;
  };
  readonly days: readonly PeriodCost[];
  readonly weeks: readonly PeriodCost[];
  readonly simulation: {
    readonly days: number;
    readonly operations: number;
    readonly currentMaxAgeMs: number;
    readonly ages: readonly SimulatedCost[];
  };
}

export interface SimulatedCost {
  readonly maxAgeMs: number;
  readonly bundlesPerDay: number;
  readonly operationsPerBundle: number;
  /** At the gateway's price now. */
  readonly operation: bigint;
  readonly meanDelayMs: number;
  readonly worstDelayMs: number;
}

export interface CostParts extends CommandHooks {
  readonly env: Record<string, string | undefined>;
}

const HOUR_MS = 3_600_000;
const DAYS_SHOWN = 14;
const WEEKS_SHOWN = 12;
const AGES_MS = [3_000, 15_000, 60_000, 300_000, 900_000, HOUR_MS, 6 * HOUR_MS];

/** Costs of the configured service, running or not. @param days the period of the arrivals that are simulated */
export async function readCosts(days: number, parts: CostParts): Promise<CostReport> {
  const config = readConfig(parts.env);
  const running = await runningService(config);
  const databaseUrl = await openDatabase(config, running, parts);
  const { gatewayUrls, wallet } = await openNetwork(config, running, parts);
  const pool = createPool(databaseUrl, 3, () => undefined, LONG_RUNNING);
  parts.addStep('the connections to the database', () => pool.end());
  const client = createGateways(gatewayUrls);
  const [bundle, balance, spending, perDay, perWeek] = await Promise.all([
    client.price(MAX_BUNDLE_BYTES),
    client.balance(wallet),
    readSpending(pool, SPENDING_DAYS),
    readPeriods(pool, 'day', DAYS_SHOWN),
    readPeriods(pool, 'week', WEEKS_SHOWN),
  ]);
  const { bundles, operations, winston } = spending;
  return {
    now: {
      bundle,
      operation: ratio(bundle * BigInt(bundles), operations),
      operationsPerBundle: bundles === 0 ? null : operations / bundles,
    },
    wallet: {
      address: wallet,
      balance,
      spent: winston,
      spentDays: spending.days,
      daysLeft: winston === 0n ? null : (Number(balance) * spending.days) / Number(winston),
    },
    days: perDay,
    weeks: perWeek,
    simulation: await simulateAges(config, { pool, client, days }),
  };
}

async function simulateAges(
  config: Config,
  { pool, client, days }: { pool: ReturnType<typeof createPool>; client: ArweaveClient; days: number },
): Promise<CostReport['simulation']> {
  const current = config.BUNDLE_MAX_AGE_MS;
  const allowed = [...new Set([...AGES_MS, current])].filter((age) => age <= config.MAX_POSTING_DELAY_SECONDS * 1_000);
  const simulations = allowed.sort((one, other) => one - other).map(simulate);
  const now = Date.now();
  let first = now;
  for await (const arrival of readArrivals(pool, now - days * DAY_MS)) {
    first = Math.min(first, arrival.at);
    for (const simulation of simulations) simulation.add(arrival);
  }
  const results = simulations.map((simulation) => simulation.end());
  const prices = await pricesOf(client, results);
  const period = Math.max(now - first, HOUR_MS) / DAY_MS;
  const operations = results[0]?.operations ?? 0;
  return {
    days: period,
    operations,
    currentMaxAgeMs: current,
    ages: operations === 0 ? [] : results.map((result) => costOf(result, prices, period)),
  };
}

/** What the gateway asks for bundles of each number of chunks that occurs. */
async function pricesOf(client: ArweaveClient, results: readonly Simulated[]): Promise<ReadonlyMap<number, bigint>> {
  const counts = [...new Set(results.flatMap(({ byChunks }) => [...byChunks.keys()]))];
  return new Map(
    await Promise.all(counts.map(async (chunks) => [chunks, await client.price(chunks * CHUNK_BYTES)] as const)),
  );
}

function costOf(result: Simulated, prices: ReadonlyMap<number, bigint>, days: number): SimulatedCost {
  const total = [...result.byChunks].reduce((sum, [chunks, n]) => sum + BigInt(n) * (prices.get(chunks) ?? 0n), 0n);
  return {
    maxAgeMs: result.maxAgeMs,
    bundlesPerDay: result.bundles / days,
    operationsPerBundle: result.operations / result.bundles,
    operation: ratio(total, result.operations) ?? 0n,
    meanDelayMs: result.delayMs.total / result.operations,
    worstDelayMs: result.delayMs.worst,
  };
}

/** Winston by operations, rounded half up; null without operations. */
export function ratio(winston: bigint, operations: number): bigint | null {
  const count = BigInt(operations);
  return count === 0n ? null : (2n * winston + count) / (2n * count);
}
