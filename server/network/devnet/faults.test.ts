import { describe, expect, test } from 'vitest';
import { createArweaveClient } from '../arweave-client.ts';
import { walletAddress } from '../wallet.ts';
import { clientOf, postSigned, signed, testDevnet } from './test-devnet.ts';

const data = Buffer.from('a bundle');

async function overHttp(url: string, fault: object) {
  return fetch(`${url}/faults`, { method: 'POST', body: JSON.stringify(fault) });
}

describe('with an injected fault, the devnet', () => {
  test('closes every connection until the fault is removed', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const transaction = await signed(client, data);
    expect((await overHttp(devnet.url, { mode: 'refuse' })).status).toBe(200);
    await expect(client.post(transaction.json, data)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(client.height()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await fetch(`${devnet.url}/faults`).then((response) => response.json())).toEqual({ mode: 'refuse' });
    await overHttp(devnet.url, { mode: 'none' });
    expect(await client.status(transaction.id)).toEqual({ state: 'unknown' });
    expect(await client.post(transaction.json, data)).toBe('accepted');
  });

  test('responds 500 to every request, or to the given number of requests', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const transaction = await signed(client, Buffer.alloc(200_000, 1));
    devnet.setFault({ mode: 'error' });
    await expect(client.post(transaction.json, transaction.data)).rejects.toMatchObject({
      kind: 'unavailable',
      status: 500,
    });
    devnet.setFault({ mode: 'error', status: 502, times: 2 });
    await expect(client.height()).rejects.toMatchObject({ status: 502 });
    await expect(client.height()).rejects.toMatchObject({ status: 502 });
    expect(await client.height()).toBe(0);
  });

  test('hangs and does not process the request', async () => {
    const devnet = await testDevnet();
    const transaction = await signed(clientOf(devnet), data);
    const client = createArweaveClient({ gatewayUrl: devnet.url, timeoutMs: 200 });
    devnet.setFault({ mode: 'delay' });
    await expect(client.post(transaction.json, data)).rejects.toMatchObject({ kind: 'unavailable' });
    devnet.setFault({ mode: 'none' });
    expect(await clientOf(devnet).status(transaction.id)).toEqual({ state: 'unknown' });
  });

  test('responds after the client’s timeout, but accepts the transaction', async () => {
    const devnet = await testDevnet();
    const transaction = await signed(clientOf(devnet), data);
    const client = createArweaveClient({ gatewayUrl: devnet.url, timeoutMs: 1_000 });
    devnet.setFault({ mode: 'delay', ms: 2_000, times: 1 });
    await expect(client.post(transaction.json, data)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect.poll(() => clientOf(devnet).status(transaction.id)).toEqual({ state: 'pending' });
  });

  test('accepts a transaction and closes the connection before the response; a second post returns "known"', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const transaction = await signed(client, data);
    devnet.setFault({ mode: 'cut', times: 1 });
    await expect(client.post(transaction.json, data)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await client.status(transaction.id)).toEqual({ state: 'pending' });
    expect(await client.post(transaction.json, data)).toBe('known');
    await devnet.mine();
    expect(await client.status(transaction.id)).toMatchObject({ state: 'mined', confirmations: 1 });
  });

  test('responds 200 but drops the transaction; a second post is accepted', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const transaction = await signed(client, data);
    devnet.setFault({ mode: 'drop', times: 1 });
    expect(await client.post(transaction.json, data)).toBe('accepted');
    expect(await client.status(transaction.id)).toEqual({ state: 'unknown' });
    expect(await client.post(transaction.json, data)).toBe('accepted');
    expect(await client.status(transaction.id)).toEqual({ state: 'pending' });
  });

  test('multiplies prices', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const price = await client.price(100_000);
    devnet.setFault({ mode: 'price', factor: 1_000 });
    expect(await client.price(100_000)).toBe(1_000n * price);
  });

  test('refuses an unknown fault', async () => {
    const devnet = await testDevnet();
    for (const invalid of [{ mode: 'explode' }, { mode: 'delay', ms: -1 }, { mode: 'refuse', now: true }, null]) {
      expect((await overHttp(devnet.url, invalid as object)).status).toBe(400);
    }
  });
});

describe('a reorganisation', () => {
  test('returns the transactions of the replaced blocks to the pool; each is mined again once', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    await devnet.mine(10);
    const kept = await postSigned(client, Buffer.from('kept'));
    await devnet.mine();
    const before = await client.status(kept.id);
    expect(before).toMatchObject({ confirmations: 1 });
    const lost = [];
    for (let number = 0; number < 6; number++) {
      lost.push(await postSigned(client, Buffer.from(`lost ${number}`)));
      await devnet.mine();
    }
    const balance = await client.balance(walletAddress(devnet.wallet));
    const height = await client.height();

    const response = await fetch(`${devnet.url}/reorganise/6`, { method: 'POST' });
    expect(await response.json()).toEqual({ height, pending: 6 });
    expect(await client.status(kept.id)).toEqual({ ...before, confirmations: 7 });
    for (const { id } of lost) expect(await client.status(id)).toEqual({ state: 'pending' });
    await devnet.mine();
    const statuses = await Promise.all(lost.map(({ id }) => client.status(id)));
    for (const status of statuses) expect(status).toMatchObject({ confirmations: 1, blockHeight: height + 1 });
    expect(await client.balance(walletAddress(devnet.wallet))).toBe(balance);
    for (const { id, data: bytes } of lost) expect(Buffer.compare(await client.data(id), bytes)).toBe(0);
  });

  test('with drop discards the transactions and refunds their wallet; they can be posted again', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    await devnet.mine(10);
    const owner = walletAddress(devnet.wallet);
    const balance = await client.balance(owner);
    const transaction = await postSigned(client, data);
    await devnet.mine();
    await fetch(`${devnet.url}/reorganise/1?drop=true`, { method: 'POST' });
    expect(await client.status(transaction.id)).toEqual({ state: 'unknown' });
    expect(await client.balance(owner)).toBe(balance);
    expect(await client.post(transaction.json, data)).toBe('accepted');
  });

  test('drops transactions whose anchor is on the orphaned branch', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    await devnet.mine(10);
    const transaction = await postSigned(client, data);
    await devnet.reorganise(5);
    expect(await client.status(transaction.id)).toEqual({ state: 'pending' });
    await devnet.reorganise(6);
    expect(await client.status(transaction.id)).toEqual({ state: 'unknown' });
    await expect(client.post(transaction.json, data)).rejects.toMatchObject({ kind: 'rejected', status: 400 });
  });

  test('never replaces the first block', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const transaction = await postSigned(client, data);
    await devnet.mine(3);
    await devnet.reorganise(1_000);
    expect(await client.height()).toBe(3);
    expect(await client.status(transaction.id)).toEqual({ state: 'pending' });
  });
});
