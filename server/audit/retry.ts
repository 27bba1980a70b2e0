import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError } from '../network/arweave-client.ts';

const PAUSES_MS = [250, 1_000, 4_000];

/** Asks a gateway, and again where it does not answer. @throws {GatewayError} */
export async function withRetries<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      await pauseBeforeRetry(error, attempt);
    }
  }
}

/** Waits a little before a gateway is asked again. @throws the error itself, where asking again will not help. */
export async function pauseBeforeRetry(error: unknown, attempt: number): Promise<void> {
  const pause = PAUSES_MS[attempt];
  if (pause === undefined || !(error instanceof GatewayError) || error.kind !== 'unavailable') throw error;
  await sleep(pause);
}
