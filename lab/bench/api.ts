import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { nextClientAddress } from './load/workloads.ts';

const ledgerShape = z.object({
  head: z.object({ seq: z.number() }),
  network: z.object({ gateway_url: z.string() }),
  entries_final: z.number(),
});
const readyShape = z.object({ backlog: z.object({ entries: z.number() }) });

export const readLedger = (url: string) => requestJson(`${url}/api/ledger`, ledgerShape);

const POLL_MS = 100;
const MAX_SECONDS = 180;
const BLOCKS_TO_FINAL = 20;

/** Waits until every accepted entry is posted, so that relaying one load does not slow down the next. */
export const untilPosted = (url: string): Promise<void> =>
  until('posted', async () => (await requestJson(`${url}/ready`, readyShape)).backlog.entries === 0);

/** Makes the embedded network mine until every entry is final. */
export async function makeFinal(url: string) {
  await untilPosted(url);
  const { network } = await readLedger(url);
  await fetch(new URL(`/mine/${BLOCKS_TO_FINAL}`, network.gateway_url), { method: 'POST' });
  await until('final', async () => {
    const { head, entries_final } = await readLedger(url);
    return head.seq === entries_final;
  });
  return readLedger(url);
}

async function until(state: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + MAX_SECONDS * 1000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not every entry was ${state} after ${MAX_SECONDS} seconds.`);
    await sleep(POLL_MS);
  }
}

/**
 * Sends a GET, or a POST of a body, to the server under test, each from another client address.
 * @throws {Error} with the beginning of the response, where its status or its shape is wrong
 */
export async function requestJson<Shape extends z.ZodType>(url: string, shape: Shape, body?: string) {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': nextClientAddress() };
  const response = await fetch(url, { headers, ...(body !== undefined && { method: 'POST', body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`The response to ${url} was ${response.status}: ${text.slice(0, 300)}`);
  return shape.parse(JSON.parse(text));
}
