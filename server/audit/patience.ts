import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError } from '../network/arweave-client.ts';

const PAUSES_MS = [250, 1_000, 4_000];

/** Waits a little before a gateway is asked again. @throws the error itself, where asking again will not help. */
export async function waitAfter(error: unknown, attempt: number): Promise<void> {
  const pause = PAUSES_MS[attempt];
  if (pause === undefined || !(error instanceof GatewayError) || error.kind === 'rejected') throw error;
  await sleep(pause);
}
