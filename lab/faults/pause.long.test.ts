import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { readNetwork } from '../../server/ledger/test-network.ts';
import { createArweaveClient } from '../../server/network/arweave-client.ts';
import { freePort } from '../../server/platform/listening/free-port.ts';
import { servingProcesses } from '../../server/processes/test-http-requests.ts';
import { creation } from '../../server/testing/test-load.ts';
import { newInstance, type Product } from '../../server/testing/test-product.ts';

const json = async (url: string, init: RequestInit = {}) =>
  (await fetch(url, { headers: { accept: 'application/json' }, ...init })).json();

/** Sends operations until it is aborted or the service ends. Returns the ids of those that were accepted. */
async function load(product: Product, signal: AbortSignal): Promise<string[]> {
  const ids: string[] = [];
  const headers = { 'content-type': 'application/json' };
  while (!signal.aborted) {
    const init = { method: 'POST', headers, body: JSON.stringify(creation()) };
    const response = await fetch(`${product.url}/api/relayer/beo`, init).catch(() => null);
    if (!response) return ids;
    const { transactionId } = await response.json().catch(() => ({ transactionId: null }));
    if (response.status === 201 && transactionId) ids.push(transactionId);
  }
  return ids;
}

test('a pause under load outlasts a kill of every process; afterwards everything is posted once', async () => {
  const adminPort = await freePort();
  const admin = `http://127.0.0.1:${adminPort}`;
  const instance = await newInstance({
    RATE_LIMIT: 'off',
    PROCESSES: '2',
    DEVNET_BLOCK_MS: '200',
    BUNDLE_MAX_AGE_MS: '400',
    ADMIN_PORT: String(adminPort),
  });
  onTestFinished(() => instance.remove());
  let product = await instance.start();
  const ended = once(product.process, 'close');
  await expect.poll(async () => (await json(`${admin}/state.json`)).processes).toHaveLength(2);

  const stopping = new AbortController();
  const loads = [load(product, stopping.signal), load(product, stopping.signal)];
  const posted = async () => (await json(`${product.url}/api/ledger`)).entries_final;
  await expect.poll(posted).toBeGreaterThan(0);
  expect((await json(`${admin}/pause`, { method: 'POST' })).paused_since).toMatch(/^20/);
  await sleep(1_500);
  product.process.kill('SIGKILL');
  stopping.abort();
  const ids = (await Promise.all(loads)).flat();
  await ended;

  product = await instance.start();
  const { gateway, wallet } = await networkOf(product);
  const client = createArweaveClient({ gatewayUrl: gateway });
  const readiness = await json(`${product.url}/ready`);
  expect(readiness).toMatchObject({
    status: 'degraded',
    backlog: { problem: expect.stringMatching(/^An operator has/) },
  });
  expect(readiness.backlog.entries).toBeGreaterThan(0);
  const before = (await readNetwork(client, wallet)).transactions;
  await sleep(2_000);
  expect((await readNetwork(client, wallet)).transactions).toEqual(before);

  // Whichever process answers, it shows all of them.
  await expect.poll(async () => (await json(`${admin}/state.json`)).processes).toHaveLength(2);
  const pids = await servingProcesses(product.process.pid);
  for (let round = 0; round < 4; round++) {
    const { processes, posting } = await json(`${admin}/state.json`);
    expect(processes.map(({ pid }: { pid: number }) => pid).sort()).toEqual(pids.sort());
    expect(pids).toContain(posting.leader_pid);
  }

  expect(await json(`${admin}/resume`, { method: 'POST' })).toEqual({ paused_since: null });
  const { head } = await json(`${product.url}/api/ledger`);
  await expect.poll(posted).toBe(head.seq);
  const { items } = await readNetwork(client, wallet);
  expect(new Set(items).size).toBe(items.length);
  expect(items).toHaveLength(head.seq);
  expect(ids.filter((id) => !items.includes(id))).toEqual([]);
  expect(ids.length).toBeGreaterThan(0);
  expect(await product.end('SIGTERM')).toBe(0);
});

async function networkOf(product: Product): Promise<{ gateway: string; wallet: string }> {
  const { network, wallet_address: wallet } = await json(`${product.url}/api/ledger`);
  return { gateway: network.gateway_url, wallet };
}
