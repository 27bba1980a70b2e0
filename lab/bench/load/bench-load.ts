import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, openConnections } from './load-connection.ts';
import type { Response } from './response-reader.ts';

export interface Load {
  readonly port: number;
  readonly connections: number;
  /** Whole HTTP requests, sent once each in this order. */
  readonly requests: readonly Buffer[];
  /** The status that every response must have. */
  readonly expectedStatus: number;
  /** The load fails when it takes longer. */
  readonly maxSeconds: number;
}

/** Milliseconds from the moment a request was due to its response. */
export interface Latencies {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly latencies: Latencies;
}

/**
 * Closed loop: every connection sends its next request as soon as it has received a response.
 * @throws {Error} at the first response with another status, with the beginning of its body.
 */
export async function closedLoop(load: Load): Promise<LoadResult> {
  return underLoad(load, async (connections, latencies) => {
    let next = 0;
    await Promise.all(
      connections.map(async (connection) => {
        for (let index = next++; index < load.requests.length; index = next++) {
          const sent = performance.now();
          check(load, await connection.request(load.requests[index] as Buffer));
          latencies[index] = performance.now() - sent;
        }
      }),
    );
  });
}

/**
 * Open loop: a request every 1/`perSecond` seconds, however long responses take. A request that finds no free connection waits
 * for one. Its latency counts from when it was due, so the result includes the wait (no coordinated omission).
 * @throws {Error} at the first response with another status, with the beginning of its body.
 */
export async function openLoop(load: Load & { readonly perSecond: number }): Promise<LoadResult> {
  return underLoad(load, async (connections, latencies) => {
    const start = performance.now();
    const dueAt = (index: number) => start + (index * 1000) / load.perSecond;
    let next = 0;
    await Promise.all(
      connections.map(async (connection) => {
        for (let index = next++; index < load.requests.length; index = next++) {
          const due = dueAt(index);
          await until(due);
          check(load, await connection.request(load.requests[index] as Buffer));
          latencies[index] = performance.now() - due;
        }
      }),
    );
  });
}

/** A timer may fire up to a millisecond early, and a request sent early would lower the measured latency. */
async function until(moment: number): Promise<void> {
  for (let left = moment - performance.now(); left > 0; left = moment - performance.now()) await sleep(left);
}

async function underLoad(
  load: Load,
  run: (connections: readonly Connection[], latencies: Float64Array) => Promise<void>,
): Promise<LoadResult> {
  const connections = await openConnections(load.port, load.connections);
  const latencies = new Float64Array(load.requests.length);
  const close = () => connections.forEach((connection) => void connection.close());
  let late = false;
  const deadline = setTimeout(() => {
    late = true;
    close();
  }, load.maxSeconds * 1000);
  try {
    const start = performance.now();
    await run(connections, latencies);
    const seconds = (performance.now() - start) / 1000;
    return { requests: load.requests.length, seconds, latencies: summariseLatencies(latencies) };
  } catch (error) {
    throw late ? new Error(`The load was not finished after ${load.maxSeconds} seconds.`) : error;
  } finally {
    clearTimeout(deadline);
    close();
  }
}

function check({ expectedStatus }: Load, { status, body }: Response): void {
  if (status === expectedStatus) return;
  throw new Error(`The status of a response was ${status}, not ${expectedStatus}: ${body.toString('utf8', 0, 300)}`);
}

/** Percentiles by nearest rank: p99 is the smallest value that at least 99 % of the values do not exceed. */
export function summariseLatencies(milliseconds: Float64Array): Latencies {
  const sorted = milliseconds.toSorted();
  return { p50: percentile(sorted, 50), p99: percentile(sorted, 99), max: percentile(sorted, 100) };
}

function percentile(sorted: Float64Array, percent: number): number {
  return sorted[Math.max(Math.ceil((sorted.length * percent) / 100) - 1, 0)] ?? Number.NaN;
}
