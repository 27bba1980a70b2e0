import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { readNetwork } from '../../server/ledger/test-network.ts';
import { createArweaveClient } from '../../server/network/arweave-client.ts';
import { creation } from '../../server/testing/test-load.ts';
import { newInstance, type Product } from '../../server/testing/test-product.ts';

const json = async (url: string) => (await fetch(url, { headers: { accept: 'application/json' } })).json();

const RUN = fileURLToPath(new URL('../../server/launch/run.mjs', import.meta.url));

/** Runs `npm run NAME` for the service of this data directory. @returns what it prints */
async function command(name: 'pause' | 'resume', dataDir: string): Promise<string> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, NODE_ENV: 'production' as const, DATA_DIR: dataDir };
  return (await promisify(execFile)(process.execPath, [RUN, name], { env })).stdout;
}

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
  const instance = await newInstance({
    RATE_LIMIT: 'off',
    PROCESSES: '2',
    DEVNET_BLOCK_MS: '200',
    BUNDLE_MAX_AGE_MS: '400',
  });
  onTestFinished(() => instance.remove());
  let product = await instance.start();
  const ended = once(product.process, 'close');

  const stopping = new AbortController();
  const loads = [load(product, stopping.signal), load(product, stopping.signal)];
  const posted = async () => (await json(`${product.url}/api/ledger`)).entries_final;
  await expect.poll(posted).toBeGreaterThan(0);
  const waiting = async () => (await json(`${product.url}/ready`)).backlog.entries;
  expect(await command('pause', instance.dataDir)).toMatch(/^Posting is paused since 20/m);
  await expect.poll(waiting).toBeGreaterThan(20);
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
  // The service has counted what waits once more, and its loops have had their turn.
  const counted = await waiting();
  await fetch(`${product.url}/api/relayer/beo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(creation()),
  });
  await expect.poll(waiting).toBe(counted + 1);
  expect((await readNetwork(client, wallet)).transactions).toEqual(before);

  expect(await command('resume', instance.dataDir)).toMatch(/^Posting continues/);
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
