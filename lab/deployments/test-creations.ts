import { expect } from 'vitest';
import { requestOnce } from '../../server/processes/test-http-requests.ts';
import { creation } from '../../server/testing/test-load.ts';

/** Of a service that a test sends many operations to. */
export const SETTINGS = { RATE_LIMIT: 'off', BUNDLE_MAX_AGE_MS: '200', DEVNET_BLOCK_MS: '100' };

export async function statusOfCreation(url: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(creation());
  return (await requestOnce(`${url}/api/relayer/beo`, { method: 'POST', headers, body })).status;
}

export const readyOf = async (url: string) => JSON.parse((await requestOnce(`${url}/ready`)).body);

/** Waits until every accepted operation is final. */
export async function settled(url: string): Promise<void> {
  const waiting = async () => {
    const { head, entries_final } = JSON.parse((await requestOnce(`${url}/api/ledger`)).body);
    return head.seq - entries_final;
  };
  await expect.poll(waiting, { interval: 100 }).toBe(0);
}
