import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { requestOnce } from '../processes/test-http-requests.ts';
import { creation } from './test-load.ts';

export interface LoadResult {
  readonly created: number;
  /** The transaction ids of the identities that the service acknowledged. */
  readonly acknowledged: readonly string[];
  /** Every response but 201, and every error of a connection. */
  readonly failures: readonly string[];
  /** The longest time between two acknowledgements. */
  readonly longestGapMs: number;
}

export interface SteadyLoad {
  readonly created: () => number;
  stop(): Promise<LoadResult>;
}

const PAUSE_AFTER_FAILURE_MS = 50;
const TIMEOUT_MS = 60_000;

/**
 * Creates identities until `stop`, each client on one kept connection or on a new one for each request, after pauses of
 * different length.
 */
export function startSteadyLoad(url: string): SteadyLoad {
  const acknowledged: string[] = [];
  const failures: string[] = [];
  let isRunning = true;
  let last = performance.now();
  let longestGapMs = 0;

  function acknowledge(body: string): void {
    const now = performance.now();
    longestGapMs = Math.max(longestGapMs, now - last);
    last = now;
    acknowledged.push(JSON.parse(body).transactionId);
  }

  async function client(agent: Agent | false, pauseMs: number): Promise<void> {
    while (isRunning) {
      const body = JSON.stringify(creation());
      const headers = { 'content-type': 'application/json' };
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const before = failures.length;
      await requestOnce(`${url}/api/relayer/beo`, { method: 'POST', agent, headers, body, signal }).then(
        ({ status, body }) => {
          if (status === 201) acknowledge(body);
          else failures.push(`${status} ${body}`);
        },
        (error: Error) => failures.push(String(error)),
      );
      await sleep(pauseMs + (failures.length > before ? PAUSE_AFTER_FAILURE_MS : 0));
    }
  }
  const kept = () => new Agent({ keepAlive: true, maxSockets: 1 });
  const clients = [
    ...[0, 5, 50, 300, 1_500].flatMap((pauseMs) => [client(kept(), pauseMs), client(kept(), pauseMs)]),
    ...[0, 20, 100].map((pauseMs) => client(false, pauseMs)),
  ];
  return {
    created: () => acknowledged.length,
    async stop() {
      isRunning = false;
      await Promise.all(clients);
      return { created: acknowledged.length, acknowledged, failures, longestGapMs };
    },
  };
}

/** Those of the ids that the service does not return. */
export async function lostOf(url: string, ids: readonly string[]): Promise<string[]> {
  const lost: string[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  for (const id of ids) {
    const { status } = await requestOnce(`${url}/api/transactions/${id}`, { agent });
    if (status !== 200) lost.push(`${id}: ${status}`);
  }
  agent.destroy();
  return lost;
}
