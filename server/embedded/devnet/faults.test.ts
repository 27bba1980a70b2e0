import { describe, expect, test } from 'vitest';
import { createArweaveClient } from '../../network/arweave-client.ts';
import { walletAddress } from '../../network/wallet.ts';
import { clientOf, postSigned, signed, testDevnet } from './test-devnet.ts';

const data = Buffer.from('a bundle');

async function overHttp(url: string, fault: object) {
  return fetch(`${url}/faults`, { method: 'POST', body: JSON.stringify(fault) });
}

describe('told to misbehave, the devnet', () => {
  test('cuts every connection, until told otherwise', async () => {
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

  test('answers 500 to everything, or as many times as asked', async () => {
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

  test('hangs, and does not carry out what hung', async () => {
    const devnet = await testDevnet();
    const transaction = await signed(clientOf(devnet), data);
    const impatient = createArweaveClient({ gatewayUrl: devnet.url, timeoutMs: 200 });
    devnet.setFault({ mode: 'delay' });
    await expect(impatient.post(transaction.json, data)).rejects.toMatchObject({ kind: 'unavailable' });
    devnet.setFault({ mode: 'none' });
    expect(await clientOf(devnet).status(transaction.id)).toEqual({ state: 'unknown' });
  });

  test('answers late: too late for the client, but the transaction is there', async () => {
    const devnet = await testDevnet();
    const transaction = await signed(clientOf(devnet), data);
    const impatient = createArweaveClient({ gatewayUrl: devnet.url, timeoutMs: 1_000 });
    devnet.setFault({ mode: 'delay', ms: 2_000, times: 1 });
    await expect(impatient.post(transaction.json, data)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect.poll(() => clientOf(devnet).status(transaction.id)).toEqual({ state: 'pending' });
  });

  test('accepts and breaks the connection before the answer; posting the same bytes again is "known"', async () => {
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

  test('accepts and loses it; posting the same bytes again is accepted', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const transaction = await signed(client, data);
    devnet.setFault({ mode: 'drop', times: 1 });
    expect(await client.post(transaction.json, data)).toBe('accepted');
    expect(await client.status(transaction.id)).toEqual({ state: 'unknown' });
    expect(await client.post(transaction.json, data)).toBe('accepted');
    expect(await client.status(transaction.id)).toEqual({ state: 'pending' });
  });

  test('quotes any price', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const price = await client.price(100_000);
    devnet.setFault({ mode: 'price', factor: 1_000 });
    expect(await client.price(100_000)).toBe(1_000n * price);
  });

  test('refuses a fault it does not have', async () => {
    const devnet = await testDevnet();
    for (const wrong of [{ mode: 'explode' }, { mode: 'delay', ms: -1 }, { mode: 'refuse', now: true }, null]) {
      expect((await overHttp(devnet.url, wrong as object)).status).toBe(400);
    }
  });
});

describe('a reorganisation', () => {
  test('of six blocks takes six blocks’ transactions back into the pool, and they are mined again once', async () => {
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

    const answer = await fetch(`${devnet.url}/reorganise/6`, { method: 'POST' });
    expect(await answer.json()).toEqual({ height, pending: 6 });
    expect(await client.status(kept.id)).toEqual({ ...before, confirmations: 7 });
    for (const { id } of lost) expect(await client.status(id)).toEqual({ state: 'pending' });
    await devnet.mine();
    const statuses = await Promise.all(lost.map(({ id }) => client.status(id)));
    for (const status of statuses) expect(status).toMatchObject({ confirmations: 1, blockHeight: height + 1 });
    expect(await client.balance(walletAddress(devnet.wallet))).toBe(balance);
    for (const { id, data: bytes } of lost) expect(Buffer.compare(await client.data(id), bytes)).toBe(0);
  });

  test('that drops loses them; their wallet is paid back, and the same bytes can be posted again', async () => {
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

  test('makes a node forget what is anchored in the branch that lost', async () => {
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

  test('never takes the first block, however deep it goes', async () => {
    const devnet = await testDevnet();
    const client = clientOf(devnet);
    const transaction = await postSigned(client, data);
    await devnet.mine(3);
    await devnet.reorganise(1_000);
    expect(await client.height()).toBe(3);
    expect(await client.status(transaction.id)).toEqual({ state: 'pending' });
  });
});
