import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError } from './gateway-http.ts';

const PAUSES_MS = [250, 1_000, 4_000];
/** A timer can fire a little early. */
const TIMER_MS = 50;

/** Repeats a request while the gateway is unavailable, and waits as long as it asks. @throws {GatewayError} */
export async function withRetries<Result>(request: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await request();
    } catch (error) {
      await pauseBeforeRetry(error, attempt);
    }
  }
}

/** Waits before the next attempt. @throws the error itself if a retry cannot help or the attempts are used up. */
export async function pauseBeforeRetry(error: unknown, attempt: number): Promise<void> {
  const pause = PAUSES_MS[attempt];
  if (pause === undefined || !(error instanceof GatewayError) || error.kind !== 'unavailable') throw error;
  await sleep(Math.max(pause, error.retryAfterMs + TIMER_MS));
}
