import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReceipt } from '../ledger/test-chain.ts';
import { readNetwork } from '../ledger/test-network.ts';
import { createArweaveClient } from '../network/arweave-client.ts';
import { freshDomain, newPerson, type SignedBody } from '../test-service.ts';
import { creation } from './test-load.ts';
import { type Instance, newInstance, type Product } from './test-product.ts';

let instance: Instance;
let product: Product;
beforeAll(async () => {
  instance = await newInstance({ RATE_LIMIT: 'off', DEVNET_BLOCK_MS: '200', BUNDLE_MAX_AGE_MS: '400' });
  product = await instance.start();
});
afterAll(() => instance.remove());

async function ask(path: string, init: RequestInit = {}) {
  const response = await fetch(product.url + path, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json;');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}

const post = (path: string, body: unknown) =>
  ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

interface Sent {
  readonly body: SignedBody;
  /** Null where the answer never came. */
  transactionId: string | null;
}
const sent: Sent[] = [];

/** Eight connections that write as fast as they are answered, until the server is gone. */
async function loadUntilGone(): Promise<void> {
  const connection = async () => {
    for (;;) {
      const one: Sent = { body: creation(), transactionId: null };
      const answer = await post('/api/relayer/beo', one.body).catch(() => null);
      sent.push(one);
      if (!answer) return;
      expect(answer.status, answer.text).toBe(201);
      one.transactionId = answer.body.transactionId;
    }
  };
  await Promise.all(Array.from({ length: 8 }, connection));
}

test('is killed three times in the middle of load, and finds its database again each time', async () => {
  const database = instance.postmaster();
  expect(database).not.toBe(null);
  for (const milliseconds of [1_500, 700, 1_100]) {
    const load = loadUntilGone();
    await sleep(milliseconds);
    expect(await product.end('SIGKILL')).toBe(null);
    await load;
    product = await instance.start();
    expect(instance.postmaster()).toBe(database);
  }
  expect(sent.filter(({ transactionId }) => transactionId !== null).length).toBeGreaterThan(24);
});

test('has every operation that it answered, once; what it did not answer can be sent again', async () => {
  for (const one of sent) {
    if (one.transactionId) {
      const { status, body } = await ask(`/api/transactions/${one.transactionId}`);
      expect([status, body.transaction?.id]).toEqual([200, one.transactionId]);
      continue;
    }
    const { status, body } = await post('/api/relayer/beo', one.body);
    expect([201, 409]).toContain(status);
    one.transactionId = status === 201 ? body.transactionId : body.details.transactionId;
    expect(one.transactionId).toMatch(/^[\w-]{43}$/);
  }
  const lines: { id: string; seq: number; item: string }[] = [];
  for (let page = -1; page !== 0; ) {
    const { text } = await ask(`/api/ledger/entries?after=${lines.length}&limit=1000`);
    const read = text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    page = lines.push(...read) && read.length;
  }
  let prev: string | null = null;
  for (const [index, { id, seq, item }] of lines.entries()) {
    expect(seq).toBe(index + 1);
    const { entry } = openReceipt(item);
    expect(entry).toMatchObject({ seq, prev });
    prev = id;
  }
  expect(lines.map(({ id }) => id).sort()).toEqual(sent.map(({ transactionId }) => transactionId).sort());
});

test('has brought every one of them to the network, once, and paid for each bundle once', async () => {
  const state = async () => (await ask('/api/ledger')).body;
  const { wallet_address: wallet, network } = await state();
  await expect.poll(async () => (await state()).entries_final, { interval: 200 }).toBe(sent.length);
  const client = createArweaveClient({ gatewayUrl: network.gateway_url });
  const { transactions, items } = await readNetwork(client, wallet);
  expect([...items].sort()).toEqual(sent.map(({ transactionId }) => transactionId).sort());
  expect(10n ** 18n - (await client.balance(wallet))).toBe(BigInt(transactions.length) * 570_000_000n);
});

test('answers what is not there in the shape of an error, wherever the request ends up', async () => {
  for (const [method, path] of [
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nothing'],
    ['POST', '/api/guardian/invite/more'],
    ['DELETE', '/api/consent/all/of-it'],
    ['GET', '/api/ledger/'],
    ['PUT', '/api/beos/%E0%A4%A'],
  ] as const) {
    const { status, headers, body } = await ask(path, { method });
    expect([method, path, status, body?.code]).toEqual([method, path, 404, 'NOT_FOUND']);
    expect(headers.get('x-request-id')).toBe(body.request_id);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  }
  const { status, headers } = await ask('/api/relayer/beo', { method: 'GET' });
  expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});

/** A request of which the server has the head and half of the body. */
async function halfSent(body: string): Promise<{ request: ClientRequest; finish(): Promise<IncomingMessage> }> {
  const request = httpRequest(`${product.url}/api/relayer/beo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  await new Promise((resolve) => request.write(body.slice(0, 60), resolve));
  await sleep(200);
  return {
    request,
    async finish() {
      request.end(body.slice(60));
      return (await answered)[0];
    },
  };
}

test('stops in order when it is asked to: requests in flight are answered, and no database is left', async () => {
  const person = newPerson();
  const guardians = [{ name: 'A', contact: 'b', role: 'primary' }];
  const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: { guardians } };
  const { finish } = await halfSent(JSON.stringify(person.sign('createBEO', fields)));
  const ended = product.end('SIGTERM');
  await sleep(300);
  await expect(ask('/health')).rejects.toThrow();
  expect(product.process.exitCode).toBe(null);
  expect((await finish()).statusCode).toBe(201);
  expect(await ended).toBe(0);
  expect(instance.postmaster()).toBe(null);
});

test('does not start on settings that are wrong, and says which in one sentence', async () => {
  expect(await instance.failToStart({ PORT: 'http' })).toEqual({
    code: 1,
    output: expect.stringMatching(/^Perpetua cannot start: PORT is wrong: [^\n]*\(it is "http"\)\.\n$/),
  });
  const secret = 'c0ffee00'.repeat(8);
  expect(await instance.failToStart({ VAULT_KEY: secret })).toEqual({
    code: 1,
    output: 'Perpetua cannot start: VAULT_KEY does not open the vault in this database; nothing was changed.\n',
  });
  expect(instance.postmaster()).toBe(null);
});
