import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { getJson } from './api.ts';

const ledgerShape = z.object({
  head: z.object({ seq: z.number() }),
  wallet_address: z.string(),
  network: z.object({ gateway_url: z.string() }),
  entries_final: z.number(),
});

const readyShape = z.object({ backlog: z.object({ entries: z.number() }) });

export type LedgerState = z.infer<typeof ledgerShape>;

export const readLedger = (url: string): Promise<LedgerState> => getJson(`${url}/api/ledger`, ledgerShape);

const POLL_MS = 100;
const MAX_POSTING_SECONDS = 120;
const MAX_FINAL_SECONDS = 180;

/** Waits until every accepted entry is posted, so that relaying one load does not slow down the next. */
export async function untilPosted(url: string): Promise<void> {
  await until('every entry was posted', MAX_POSTING_SECONDS, async () => {
    const { backlog } = await getJson(`${url}/ready`, readyShape);
    return backlog.entries === 0;
  });
}

/** Waits until every accepted entry is final on the network. */
export async function untilFinal(url: string): Promise<void> {
  await until('every entry was final', MAX_FINAL_SECONDS, async () => {
    const { head, entries_final } = await readLedger(url);
    return head.seq === entries_final;
  });
}

async function until(event: string, maxSeconds: number, holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + maxSeconds * 1000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`It took longer than ${maxSeconds} seconds until ${event}.`);
    await sleep(POLL_MS);
  }
}

const BLOCKS_TO_FINAL = 20;

/** Makes the embedded network mine until every entry is final. */
export async function makeFinal(url: string): Promise<LedgerState> {
  await untilPosted(url);
  const { network } = await readLedger(url);
  await fetch(new URL(`/mine/${BLOCKS_TO_FINAL}`, network.gateway_url), { method: 'POST' });
  await untilFinal(url);
  return readLedger(url);
}
