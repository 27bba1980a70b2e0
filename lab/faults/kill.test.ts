import { hash } from 'node:crypto';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LedgerEntry } from '../../protocol/ledger/entry.ts';
import { OPERATIONS } from '../../protocol/operations.ts';
import { canonicalJson } from '../../protocol/signing/canonical-json.ts';
import type { JsonObject } from '../../protocol/signing/message.ts';
import { IN_FULL, inFull } from '../../protocol/test-amount.ts';
import { openReceipt } from '../../server/ledger/test-chain.ts';
import { readNetwork } from '../../server/ledger/test-network.ts';
import { createArweaveClient } from '../../server/network/arweave-client.ts';
import { priceOf } from '../../server/network/devnet/price.ts';
import { creation } from '../../server/testing/test-load.ts';
import { type Instance, newInstance, type Product } from '../../server/testing/test-product.ts';
import {
  type Answer,
  freshDomain,
  newPerson,
  type SignedBody,
  type TestApi,
} from '../../server/testing/test-service.ts';
import { requestsByOperation, type ValidRequest } from './test-kinds.ts';

const longTest = inFull(test);

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

const INSTITUTE_KEYS = ['first', 'second', 'third'].map((name) => `the institute's ${name} key in this test`);

async function request(path: string, init: RequestInit = {}): Promise<Answer & { readonly text: string }> {
  const response = await fetch(product.url + path, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json;');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}

/** An operation that was sent, and its outcome. */
interface Sent extends ValidRequest {
  /** Null without a response. */
  transactionId: string | null;
}
const sent: Sent[] = [];

const REQUEST_RECOVERY = '/api/relayer/beo/request-recovery';

async function send({ method, path, body, headers = {} }: ValidRequest): Promise<Answer & { readonly text: string }> {
  const json = { 'content-type': 'application/json', ...headers };
  return request(path, { method, headers: json, body: JSON.stringify(body) });
}

/** Sends an operation and records it, with or without a response. */
async function operate(ready: ValidRequest): Promise<Answer> {
  const operation: Sent = { ...ready, transactionId: null };
  // A request for recovery creates no entry.
  if (ready.path !== REQUEST_RECOVERY) sent.push(operation);
  const answer = await send(ready);
  expect([200, 201], `${ready.path} ${answer.text}`).toContain(answer.status);
  operation.transactionId = answer.body.transactionId;
  return answer;
}

/** The product's API for the test's parties. */
const api: TestApi = {
  instituteKeys: INSTITUTE_KEYS,
  get: (path, headers = {}) => request(path, { headers }),
  post: (path, body, headers = {}) => operate({ method: 'POST', path, body: body as SignedBody, headers }),
  request: (path, { method, headers, body }) =>
    operate({
      method: method as 'DELETE',
      path,
      body: JSON.parse(String(body)) as SignedBody,
      headers: headers as Record<string, string>,
    }),
};
const requests = requestsByOperation(api);

/** Writes over eight connections until the server is killed. */
async function loadUntilKilled(): Promise<void> {
  const connection = async () => {
    while (await operate({ method: 'POST', path: '/api/relayer/beo', body: creation() }).catch(nullIfDisconnected));
  };
  await Promise.all(Array.from({ length: 8 }, connection));
}

/** A lost connection is expected; any other error fails the test. */
function nullIfDisconnected(error: unknown): null {
  if (error instanceof TypeError) return null;
  throw error;
}

/** Sends requests concurrently. @returns promises for the end of all of them, and for the first `count` responses */
function sendConcurrently(
  ready: readonly ValidRequest[],
  count: number,
): [all: Promise<unknown>, reached: Promise<void>] {
  let answered = 0;
  let onReached = () => {};
  const reached = new Promise<void>((resolve) => {
    onReached = resolve;
  });
  const all = ready.map(async (prepared) => {
    if (!(await operate(prepared).catch(nullIfDisconnected))) return;
    answered += 1;
    if (answered === count) onReached();
  });
  return [Promise.all(all), reached];
}

test('the test prepares a request for every operation', () => {
  const named = OPERATIONS.map(({ name }) => name).sort();
  expect(Object.keys(requests).sort(), 'they are in lab/faults/test-kinds.ts').toEqual(named);
});

/** After how many responses the product is killed, each time. */
const KILLED_AFTER = IN_FULL ? [1, 8, 16] : [8];

test('killed under load with every operation in flight, the product takes over its running database', async () => {
  const database = instance.postmaster();
  expect(database).not.toBe(null);
  for (const count of KILLED_AFTER) {
    const ready = await Promise.all(Object.values(requests).map((prepare) => prepare()));
    const before = sent.length;
    const load = loadUntilKilled();
    await expect.poll(() => sent.length).toBeGreaterThan(before + 20);
    const [inFlight, reached] = sendConcurrently(ready, count);
    await Promise.race([reached, inFlight]);
    expect(await product.end('SIGKILL')).toBe(null);
    await inFlight;
    await load;
    product = await instance.start();
    expect(instance.postmaster()).toBe(database);
  }
  expect(sent.filter(({ transactionId }) => transactionId !== null).length).toBeGreaterThanOrEqual(
    KILLED_AFTER.reduce((sum, count) => sum + count, 0),
  );
});

interface LedgerLine {
  readonly id: string;
  readonly seq: number;
  readonly entry: LedgerEntry;
}

async function readLedger(): Promise<LedgerLine[]> {
  const lines: LedgerLine[] = [];
  for (let page = -1; page !== 0; ) {
    const { text } = await request(`/api/ledger/entries?after=${lines.length}&limit=1000`);
    const read = text
      .split('\n')
      .slice(0, -1)
      .map((line): LedgerLine => {
        const { id, seq, item } = JSON.parse(line);
        return { id, seq, entry: openReceipt(item).entry };
      });
    page = lines.push(...read) && read.length;
  }
  return lines;
}

/** Finds the entry of an operation without a response, by its signature or by the institute's decision; null if it has none. */
function entryOf({ body }: Sent, lines: readonly LedgerLine[]): string | null {
  const requested = canonicalJson(body as JsonObject);
  const found = lines.find(({ entry }) => {
    if (!('message' in entry)) return false;
    const { function: _, approver, ...decided } = entry.message;
    return entry.signature === null
      ? approver !== undefined && canonicalJson(decided) === requested
      : entry.signature === body.signature;
  });
  return found?.id ?? null;
}

test('every answered operation is in the ledger once; the others can be sent again', async () => {
  const before = await readLedger();
  const known = new Set(before.map(({ id }) => id));
  for (const { transactionId } of sent) if (transactionId !== null) expect(known).toContain(transactionId);
  for (const operation of sent.filter(({ transactionId }) => transactionId === null)) {
    operation.transactionId = entryOf(operation, before);
    // An unsigned request has no nonce: sent again, it would be executed twice.
    if (operation.transactionId !== null && !('nonce' in operation.body)) continue;
    const { status, text, body } = await send(operation);
    const reported = status < 300 ? body.transactionId : body.details?.transactionId;
    operation.transactionId ??= reported;
    expect(operation.transactionId, `${operation.path} ${text}`).toMatch(/^[\w-]{43}$/);
    expect([undefined, operation.transactionId]).toContain(reported);
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

test('every operation is on the network once, and each bundle is paid once', async () => {
  const state = async () => (await request('/api/ledger')).body;
  const { wallet_address: wallet, network } = await state();
  await expect.poll(async () => (await state()).entries_final, { interval: 200 }).toBe(sent.length);
  const client = createArweaveClient({ gatewayUrl: network.gateway_url });
  const { transactions, items } = await readNetwork(client, wallet);
  expect([...items].sort()).toEqual(sent.map(({ transactionId }) => transactionId).sort());
  const prices = transactions.map(async (id) => priceOf((await client.data(id)).byteLength));
  const paid = (await Promise.all(prices)).reduce((sum, price) => sum + price, 0n);
  expect(10n ** 18n - (await client.balance(wallet))).toBe(paid);
});

test('unknown paths get a JSON error from every layer', async () => {
  for (const [method, path] of [
    ['GET', '/api'],
    ['GET', '/api/'],
    ['GET', '/api/missing'],
    ['POST', '/api/guardian/invite/more'],
    ['DELETE', '/api/consent/all/of-it'],
    ['GET', '/api/ledger/missing'],
    ['PUT', '/api/beos/unknown/more'],
  ] as const) {
    const { status, headers, body } = await request(path, { method });
    expect([method, path, status, body?.code]).toEqual([method, path, 404, 'NOT_FOUND']);
    expect(headers.get('x-request-id')).toBe(body.request_id);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  }
  const { status, headers } = await request('/api/relayer/beo', { method: 'GET' });
  expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
});

/** Sends the head and the first part of the body of a request. */
async function halfSent(body: string): Promise<{ request: ClientRequest; finish(): Promise<IncomingMessage> }> {
  const clientRequest = httpRequest(`${product.url}/api/relayer/beo`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    },
  });
  clientRequest.flushHeaders();
  await once(clientRequest, 'continue');
  const responded = once(clientRequest, 'response') as Promise<[IncomingMessage]>;
  await new Promise((resolve) => clientRequest.write(body.slice(0, 60), resolve));
  return {
    request: clientRequest,
    async finish() {
      clientRequest.end(body.slice(60));
      return (await responded)[0];
    },
  };
}

test('on SIGTERM requests in flight are completed and the database is stopped', async () => {
  const person = newPerson();
  const guardians = [{ name: 'A', contact: 'b', role: 'primary' }];
  const fields = { domain: freshDomain(), publicKey: person.publicKey, recovery: { guardians } };
  const { finish } = await halfSent(JSON.stringify(person.sign('createBEO', fields)));
  const ended = product.end('SIGTERM');
  const isRefused = () =>
    request('/health').then(
      () => false,
      () => true,
    );
  await expect.poll(isRefused).toBe(true);
  expect(product.process.exitCode).toBe(null);
  expect((await finish()).statusCode).toBe(201);
  expect(await ended).toBe(0);
  expect(instance.postmaster()).toBe(null);
});

longTest('an invalid setting prevents the start and is reported in one sentence', async () => {
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
