import { expect } from 'vitest';
import { requestOnce } from '../../server/processes/test-http-requests.ts';
import { creation } from '../../server/testing/test-load.ts';
import { type LoadResult, startSteadyLoad } from '../../server/testing/test-steady-load.ts';

/** Of a service that a test sends many operations to. */
export const SETTINGS = { RATE_LIMIT: 'off', BUNDLE_MAX_AGE_MS: '200', DEVNET_BLOCK_MS: '100' };

export async function statusOfCreation(url: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(creation());
  return (await requestOnce(`${url}/api/relayer/beo`, { method: 'POST', headers, body })).status;
}

export const readyOf = async (url: string) => JSON.parse((await requestOnce(`${url}/ready`)).body);

/** Waits until the service is ready, also while it does not listen. */
export async function expectReady(url: string): Promise<void> {
  const status = async () => (await requestOnce(`${url}/ready`)).status;
  await expect.poll(status, { interval: 100 }).toBe(200);
}

/** Creates identities while `work` runs, and a while before and after it. */
export async function underLoad(url: string, work: () => Promise<unknown>): Promise<LoadResult> {
  const load = startSteadyLoad(url);
  await expect.poll(load.created).toBeGreaterThan(50);
  await work();
  const created = load.created();
  await expect.poll(load.created).toBeGreaterThan(created + 50);
  return load.stop();
}

/** Waits until every accepted operation is final. */
export async function settled(url: string): Promise<void> {
  const waiting = async () => {
    const { head, entries_final } = JSON.parse((await requestOnce(`${url}/api/ledger`)).body);
    return head.seq - entries_final;
  };
  await expect.poll(waiting, { interval: 100 }).toBe(0);
}
