import { hash } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LedgerEntry } from '../../protocol/ledger/entry.ts';
import { OPERATIONS } from '../../protocol/operations.ts';
import { canonicalJson } from '../../protocol/signing/canonical-json.ts';
import type { JsonObject } from '../../protocol/signing/message.ts';
import { priceOf } from '../embedded/devnet/price.ts';
import { openReceipt } from '../ledger/test-chain.ts';
import { readNetwork } from '../ledger/test-network.ts';
import { createArweaveClient } from '../network/arweave-client.ts';
import { type Answer, freshDomain, newPerson, type SignedBody, type TestApi } from '../test-service.ts';
import { kindsOf, type Ready } from './test-kinds.ts';
import { creation } from './test-load.ts';
import { type Instance, newInstance, type Product } from './test-product.ts';

let instance: Instance;
let product: Product;
beforeAll(async () => {
  instance = await newInstance({
    RATE_LIMIT: 'off',
    DEVNET_BLOCK_MS: '200',
    BUNDLE_MAX_AGE_MS: '400',
    INSTITUTE_KEY_DIGESTS: INSTITUTE_KEYS.map((key) => hash('sha256', key)).join(','),
  });
  product = await instance.start();
});
afterAll(() => instance.remove());

const INSTITUTE_KEYS = ['first', 'second', 'third'].map((name) => `the ${name} key of the institute in this test`);

async function ask(path: string, init: RequestInit = {}): Promise<Answer & { readonly text: string }> {
  const response = await fetch(product.url + path, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json;');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}

/** An operation that was sent, and what became of it. */
interface Sent extends Ready {
  /** Null where the answer never came. */
  transactionId: string | null;
}
const sent: Sent[] = [];

const TAKES_NO_ENTRY = '/api/relayer/beo/request-recovery';

async function send({ method, path, body, headers = {} }: Ready): Promise<Answer & { readonly text: string }> {
  const json = { 'content-type': 'application/json', ...headers };
  return ask(path, { method, headers: json, body: JSON.stringify(body) });
}

/** Sends an operation, and remembers it whether it is answered or not. */
async function operate(ready: Ready): Promise<Answer> {
  const one: Sent = { ...ready, transactionId: null };
  if (ready.path !== TAKES_NO_ENTRY) sent.push(one);
  const answer = await send(ready);
  expect([200, 201], `${ready.path} ${answer.text}`).toContain(answer.status);
  one.transactionId = answer.body.transactionId;
  return answer;
}

/** The product as the parties of a test know it. */
const api: TestApi = {
  instituteKeys: INSTITUTE_KEYS,
  get: (path, headers = {}) => ask(path, { headers }),
  post: (path, body, headers = {}) => operate({ method: 'POST', path, body: body as SignedBody, headers }),
  request: (path, { method, headers, body }) =>
    operate({
      method: method as 'DELETE',
      path,
      body: JSON.parse(String(body)) as SignedBody,
      headers: headers as Record<string, string>,
    }),
};
const kinds = kindsOf(api);

/** Eight connections that write as fast as they are answered, until the server is gone. */
async function loadUntilGone(): Promise<void> {
  const connection = async () => {
    while (await operate({ method: 'POST', path: '/api/relayer/beo', body: creation() }).catch(goneOrThrow));
  };
  await Promise.all(Array.from({ length: 8 }, connection));
}

/** A connection that is cut is what the test is about; anything else is a failure. */
function goneOrThrow(error: unknown): null {
  if (error instanceof TypeError) return null;
  throw error;
}

/** Sends requests at once. @returns when all of them have an answer or have lost their connection, and when `enough` have an answer */
function sendTogether(ready: readonly Ready[], enough: number): [all: Promise<unknown>, some: Promise<void>] {
  let answered = 0;
  let reached = () => {};
  const some = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const all = ready.map(async (one) => {
    if (!(await operate(one).catch(goneOrThrow))) return;
    answered += 1;
    if (answered === enough) reached();
  });
  return [Promise.all(all), some];
}

test('has a request for every operation of the table', () => {
  expect(Object.keys(kinds).sort()).toEqual(OPERATIONS.map(({ name }) => name).sort());
});

test('is killed three times in the middle of load, with an operation of every kind on its way, and finds its database again', async () => {
  const database = instance.postmaster();
  expect(database).not.toBe(null);
  for (const enough of [1, 8, 16]) {
    const ready = await Promise.all(Object.values(kinds).map((prepare) => prepare()));
    const load = loadUntilGone();
    await sleep(500);
    const [onTheirWay, some] = sendTogether(ready, enough);
    await Promise.race([some, onTheirWay]);
    expect(await product.end('SIGKILL')).toBe(null);
    await onTheirWay;
    await load;
    product = await instance.start();
    expect(instance.postmaster()).toBe(database);
  }
  expect(sent.filter(({ transactionId }) => transactionId !== null).length).toBeGreaterThan(24);
});

interface Line {
  readonly id: string;
  readonly seq: number;
  readonly entry: LedgerEntry;
}

async function readLedger(): Promise<Line[]> {
  const lines: Line[] = [];
  for (let page = -1; page !== 0; ) {
    const { text } = await ask(`/api/ledger/entries?after=${lines.length}&limit=1000`);
    const read = text
      .split('\n')
      .slice(0, -1)
      .map((line): Line => {
        const { id, seq, item } = JSON.parse(line);
        return { id, seq, entry: openReceipt(item).entry };
      });
    page = lines.push(...read) && read.length;
  }
  return lines;
}

/** The entry of an operation that was not answered, where there is one: by its signature, or by what the institute decided. */
function entryOf({ body }: Sent, lines: readonly Line[]): string | null {
  const asked = canonicalJson(body as JsonObject);
  const found = lines.find(({ entry }) => {
    if (!('message' in entry)) return false;
    const { function: _, approver, ...decided } = entry.message;
    return entry.signature === null
      ? approver !== undefined && canonicalJson(decided) === asked
      : entry.signature === body.signature;
  });
  return found?.id ?? null;
}

test('has every operation that it answered, once; what it did not answer can be sent again', async () => {
  const before = await readLedger();
  const known = new Set(before.map(({ id }) => id));
  for (const { transactionId } of sent) if (transactionId !== null) expect(known).toContain(transactionId);
  for (const one of sent.filter(({ transactionId }) => transactionId === null)) {
    one.transactionId = entryOf(one, before);
    // What nobody has signed has no nonce, and would be done twice.
    if (one.transactionId !== null && !('nonce' in one.body)) continue;
    const { status, text, body } = await send(one);
    const again = status < 300 ? body.transactionId : body.details?.transactionId;
    one.transactionId ??= again;
    expect(one.transactionId, `${one.path} ${text}`).toMatch(/^[\w-]{43}$/);
    expect([undefined, one.transactionId]).toContain(again);
  }
  const lines = await readLedger();
  let prev: string | null = null;
  for (const [index, { id, seq, entry }] of lines.entries()) {
    expect(seq).toBe(index + 1);
    expect(entry).toMatchObject({ seq, prev });
    prev = id;
  }
  expect(lines.map(({ id }) => id).sort()).toEqual(sent.map(({ transactionId }) => transactionId).sort());
  const functions = new Set(lines.map(({ entry }) => entry.function));
  expect([...functions].sort()).toEqual([...new Set(OPERATIONS.map((operation) => operation.function))].sort());
});

test('has brought every one of them to the network, once, and paid for each bundle once', async () => {
  const state = async () => (await ask('/api/ledger')).body;
  const { wallet_address: wallet, network } = await state();
  await expect.poll(async () => (await state()).entries_final, { interval: 200 }).toBe(sent.length);
  const client = createArweaveClient({ gatewayUrl: network.gateway_url });
  const { transactions, items } = await readNetwork(client, wallet);
  expect([...items].sort()).toEqual(sent.map(({ transactionId }) => transactionId).sort());
  const prices = transactions.map(async (id) => priceOf((await client.data(id)).byteLength));
  const paid = (await Promise.all(prices)).reduce((sum, price) => sum + price, 0n);
  expect(10n ** 18n - (await client.balance(wallet))).toBe(paid);
});

test('answers what is not there in the shape of an error, wherever the request ends up', async () => {
  for (const [method, path] of [
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/nothing'],
    ['POST', '/api/guardian/invite/more'],
    ['DELETE', '/api/consent/all/of-it'],
    ['GET', '/api/ledger/nothing'],
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
  expect(await instance.failToStart({ VAULT_KEY: secret, LOG_LEVEL: 'error' })).toEqual({
    code: 1,
    output: 'Perpetua cannot start: VAULT_KEY does not open the vault in this database; nothing was changed.\n',
  });
  expect(instance.postmaster()).toBe(null);
});
