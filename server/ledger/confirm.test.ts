import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { badGateway, type Misbehaviour } from '../../auditor/audit/test-bad-gateway.ts';
import { amount, inFull } from '../../protocol/test-amount.ts';
import { createArweaveClient } from '../network/arweave-client.ts';
import type { DevnetKind } from '../network/devnet/state.ts';
import { createGateways } from '../network/gateways.ts';
import { readLackingData, unfinishedBundles } from './bundle-rows.ts';
import { confirmAll, type Losses, type Pending, type Unread } from './confirm.ts';
import { readBacklog } from './entries.ts';
import { relayNext, repack, repost } from './relay.ts';
import { type TestRelay, testRelay } from './test-relay.ts';

const longTest = inFull(test);

const PRICE = 570_000_000n;

/** Losses that began longer ago than a gateway needs to list a transaction. */
async function oldLosses(relay: TestRelay): Promise<Losses> {
  return new Map((await relay.bundles()).map(({ l1_tx }) => [l1_tx, { height: 0, at: performance.now() - 60_000 }]));
}

const confirm = (relay: TestRelay, losses: Losses = new Map()) => confirmAll(relay.parts, losses);
const statuses = async (relay: TestRelay) => (await relay.bundles()).map(({ status }) => status);

async function posted(kind: DevnetKind = 'gateway', count = 3) {
  const relay = await testRelay({}, kind);
  const ids = await relay.accept(count);
  expect(await relayNext(relay.parts)).toBe(count);
  const [bundle] = await relay.bundles();
  return { relay, ids, l1Tx: bundle?.l1_tx ?? '' };
}

/** A gateway that responds 404 to one path and forwards all other requests to the devnet. */
async function denyingGateway(devnetUrl: string, deniedPath: string) {
  let denials = 0;
  const server = createServer(async (request, response) => {
    if (request.url === deniedPath) {
      denials += 1;
      return void response.writeHead(404).end('Not Found.');
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
    const type = request.headers['content-type'] ?? 'text/plain';
    const init = { method: request.method ?? 'GET', headers: { 'content-type': type }, ...body };
    const forwarded = await fetch(`${devnetUrl}${request.url}`, init);
    response.writeHead(forwarded.status, { 'content-type': forwarded.headers.get('content-type') ?? 'text/plain' });
    response.end(Buffer.from(await forwarded.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    denials: () => denials,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A gateway that acknowledges transactions, drops them, and calls each one pending. */
const droppingGateway = (relay: TestRelay) =>
  badGateway(({ url = '', method }, response) => {
    if (method === 'POST' && url === '/tx') return Boolean(response.end('OK'));
    return url.endsWith('/status') && Boolean(response.writeHead(202).end('Pending'));
  }, relay.devnet.url);

/** Expects all entries on the network in one transaction, in order and paid once. */
async function expectOnNetworkOnce(relay: TestRelay, ids: readonly string[], l1Tx: string): Promise<void> {
  await relay.devnet.mine(18);
  await confirm(relay);
  expect(await statuses(relay)).toEqual(['FINAL']);
  expect(await relay.network()).toEqual({ transactions: [l1Tx], items: ids });
  expect(await relay.spent()).toBe(PRICE);
}

describe.each(amount<DevnetKind[]>(['gateway'], ['gateway', 'node']))('a bundle posted to a %s', (kind) => {
  test('is confirmed at its first block and final at its eighteenth', async () => {
    const { relay, ids, l1Tx } = await posted(kind);
    expect(await confirm(relay)).toBe(1);
    expect(await statuses(relay)).toEqual(['POSTED']);
    await relay.devnet.mine();
    await confirm(relay);
    expect(await relay.bundles()).toMatchObject([{ status: 'CONFIRMED', confirmations: 1, block_height: 1 }]);
    await relay.devnet.mine(16);
    await confirm(relay);
    expect(await relay.bundles()).toMatchObject([{ status: 'CONFIRMED', confirmations: 17 }]);
    expect(await readBacklog(relay.pool)).toMatchObject({ finalSeq: 0 });
    await relay.devnet.mine();
    await confirm(relay);
    expect(await relay.bundles()).toMatchObject([{ status: 'FINAL', confirmations: 18 }]);
    expect(await readBacklog(relay.pool)).toMatchObject({ finalSeq: 3 });
    expect(await confirm(relay)).toBe(0);
    await expectOnNetworkOnce(relay, ids, l1Tx);
  });

  test('is not final while the network returns other bytes than were posted', async () => {
    const { relay, ids, l1Tx } = await posted(kind);
    const [bundle] = await relay.bundles();
    await relay.pool.query('UPDATE bundles SET data_sha256 = $1', ['00'.repeat(32)]);
    await relay.devnet.mine(25);
    await expect(confirm(relay)).rejects.toThrow(`The network does not return the posted bytes of ${l1Tx}.`);
    expect(await statuses(relay)).toEqual(['CONFIRMED']);
    await relay.pool.query('UPDATE bundles SET data_sha256 = $1', [bundle?.data_sha256]);
    await expectOnNetworkOnce(relay, ids, l1Tx);
  });

  test('is not final on the word of one of two gateways', async () => {
    const { relay, l1Tx } = await posted(kind);
    await relay.devnet.mine();
    const deep = { block_height: 1, block_indep_hash: 'x'.repeat(64), number_of_confirmations: 99 };
    const lying = await badGateway(
      ({ url = '' }, response) => url.endsWith('/status') && Boolean(response.end(JSON.stringify(deep))),
      relay.devnet.url,
    );
    const confirmAt = (...urls: string[]) => confirmAll({ ...relay.parts, client: createGateways(urls) }, new Map());
    for (const urls of [
      [lying.url, relay.devnet.url],
      [relay.devnet.url, lying.url],
    ]) {
      await confirmAt(...urls);
      expect(await relay.bundles()).toMatchObject([{ l1_tx: l1Tx, status: 'CONFIRMED', confirmations: 1 }]);
    }
    // An honest gateway that was unavailable a moment ago is asked before the bundle becomes FINAL.
    let failures = 1;
    const busy = await badGateway(
      (_, response) => failures-- > 0 && Boolean(response.writeHead(429).end()),
      relay.devnet.url,
    );
    const client = createGateways([lying.url, busy.url]);
    await client.height();
    expect(failures).toBe(0);
    await confirmAll({ ...relay.parts, client }, new Map());
    expect(await relay.bundles()).toMatchObject([{ status: 'CONFIRMED', confirmations: 1 }]);
    await relay.devnet.mine(17);
    await confirmAt(relay.devnet.url, busy.url);
    expect(await statuses(relay)).toEqual(['FINAL']);
  });

  test('is final once two of several gateways return its bytes, whichever they are', async () => {
    const { relay, l1Tx } = await posted(kind);
    await relay.devnet.mine(18);
    const isData = (url = '') => url === `/raw/${l1Tx}` || url === `/${l1Tx}`;
    const at = async (misbehaviour: Misbehaviour) => (await badGateway(misbehaviour, relay.devnet.url)).url;
    const without = await at(({ url }, response) => isData(url) && Boolean(response.writeHead(404).end()));
    const altered = await at(({ url }, response) => isData(url) && Boolean(response.end('another page')));
    const paid = await at(({ url }, response) => isData(url) && Boolean(response.writeHead(402).end()));
    const whole = await at(() => false);
    const confirmAt = (...urls: string[]) =>
      confirmAll({ ...relay.parts, client: createGateways([relay.devnet.url, ...urls]) }, new Map());
    const lacking = `The network does not return the posted bytes of ${l1Tx}.`;
    await expect(confirmAt(without)).rejects.toThrow(`${lacking} ${without}: The gateway answered 404`);
    await expect(confirmAt(altered)).rejects.toThrow(`${lacking} ${altered}: The gateway returned bytes`);
    const waiting = `Only one gateway returns the posted bytes of ${l1Tx}; a second one is waited for.`;
    await expect(confirmAt(paid)).rejects.toThrow(`${waiting} ${paid}: The gateway answered 402`);
    await expect(confirmAt('http://127.0.0.1:9')).rejects.toThrow(`${waiting} http://127.0.0.1:9: The gateway was`);
    expect(await statuses(relay)).toEqual(['CONFIRMED']);
    await confirmAt(without, altered, paid, whole);
    expect(await statuses(relay)).toEqual(['FINAL']);
  });

  test('is final although its data were lost when it was posted, because they are posted again', async () => {
    const relay = await testRelay({}, kind);
    const ids = await relay.accept(3);
    relay.devnet.setFault({ mode: 'lose', times: 1 });
    await relayNext(relay.parts);
    const [{ l1_tx: l1Tx } = { l1_tx: '' }] = await relay.bundles();
    await relay.devnet.mine(18);
    await expect(confirm(relay)).rejects.toThrow(`The network does not return the posted bytes of ${l1Tx}.`);
    expect(await readLackingData(relay.pool)).toMatchObject({ bundles: 1 });
    await relay.devnet.mine();
    await confirm(relay);
    expect(await readLackingData(relay.pool)).toEqual({ bundles: 0, seconds: 0 });
    await expectOnNetworkOnce(relay, ids, l1Tx);
  });

  longTest('has its lost data posted again at its first block, ever more rarely and to every gateway', async () => {
    const relay = await testRelay({}, kind);
    const ids = await relay.accept(3);
    relay.devnet.setFault({ mode: 'lose', times: 1 });
    await relayNext(relay.parts);
    const [{ l1_tx: l1Tx } = { l1_tx: '' }] = await relay.bundles();
    const refusing: Misbehaviour = ({ url }, response) => url === '/chunk' && Boolean(response.writeHead(503).end());
    const [one, other] = await Promise.all([
      badGateway(refusing, relay.devnet.url),
      badGateway(refusing, relay.devnet.url),
    ]);
    const client = createGateways([one.url, other.url]);
    const unread: Unread = new Map();
    const confirmThere = () => confirmAll({ ...relay.parts, client }, new Map(), new Map(), unread);
    const chunks = () => [one, other].map(({ asked }) => asked.filter((path) => path === '/chunk').length);
    await relay.devnet.mine();
    await expect(confirmThere()).rejects.toThrow('503');
    expect(chunks()).toEqual([1, 1]);
    expect(await relay.bundles()).toMatchObject([{ status: 'CONFIRMED', confirmations: 1 }]);
    await expect(confirmThere()).rejects.toThrow('503');
    expect(chunks()).toEqual([1, 1]);
    await relay.devnet.mine();
    await expect(confirmThere()).rejects.toThrow('503');
    expect(chunks()).toEqual([2, 2]);
    await relay.devnet.mine();
    await expect(confirmThere()).rejects.toThrow('503');
    expect(chunks()).toEqual([2, 2]);
    await relay.devnet.mine();
    await confirm(relay);
    await confirmThere();
    expect(chunks()).toEqual([2, 2]);
    expect(await readLackingData(relay.pool)).toMatchObject({ bundles: 0 });
    await expectOnNetworkOnce(relay, ids, l1Tx);
  });

  test('has its data posted again when the network already knows it', async () => {
    const relay = await testRelay({}, kind);
    const ids = await relay.accept(3);
    relay.devnet.setFault({ mode: 'lose', times: 1 });
    await relayNext(relay.parts);
    const [bundle] = await relay.bundles();
    if (!bundle) throw new Error('No bundle was stored.');
    await repost(relay.parts, bundle);
    await relay.devnet.mine();
    await confirm(relay);
    expect(await readLackingData(relay.pool)).toMatchObject({ bundles: 0 });
    await expectOnNetworkOnce(relay, ids, bundle.l1_tx);
  });

  longTest('reaches the network although one gateway acknowledges it, drops it and calls it pending', async () => {
    const relay = await testRelay({}, kind);
    const ids = await relay.accept(3);
    const client = createGateways([(await droppingGateway(relay)).url, relay.devnet.url]);
    await relayNext({ ...relay.parts, client });
    const [bundle] = await relay.bundles();
    await expectOnNetworkOnce(relay, ids, bundle?.l1_tx ?? '');
  });

  longTest('reaches the network ten blocks later if only a gateway that drops it was available', async () => {
    const relay = await testRelay({}, kind);
    const ids = await relay.accept(3);
    const dropping = await droppingGateway(relay);
    await relayNext({ ...relay.parts, client: createArweaveClient({ gatewayUrl: dropping.url }) });
    const client = createGateways([dropping.url, relay.devnet.url]);
    const [{ l1_tx: l1Tx } = { l1_tx: '' }] = await relay.bundles();
    // The dropping gateway overstated the height.
    const pending: Pending = new Map([[l1Tx, { since: 1_000_000, last: 1_000_000 }]]);
    const confirmPending = () => confirmAll({ ...relay.parts, client }, new Map(), pending);
    await confirmPending();
    await relay.devnet.mine(9);
    await confirmPending();
    expect(await relay.network()).toEqual({ transactions: [], items: [] });
    await relay.devnet.mine(1);
    await confirmPending();
    await expectOnNetworkOnce(relay, ids, l1Tx);
  });

  longTest('is signed again once it has been pending for a hundred blocks after its anchor expired', async () => {
    const relay = await testRelay({}, kind);
    const ids = await relay.accept(3);
    relay.devnet.setFault({ mode: 'drop', times: 1 });
    await relayNext(relay.parts);
    const [lost] = await relay.bundles();
    const path = `/tx/${lost?.l1_tx}`;
    // Nodes return a pending transaction at another path.
    const stubborn = await badGateway(({ url = '' }, response) => {
      if (url === `/unconfirmed_tx/${lost?.l1_tx}`) return Boolean(response.end(JSON.stringify(lost?.transaction)));
      return [path, `${path}/status`].includes(url) && Boolean(response.writeHead(202).end('Pending'));
    }, relay.devnet.url);
    const parts = { ...relay.parts, client: createArweaveClient({ gatewayUrl: stubborn.url }) };
    await relay.devnet.mine(61);
    const losses: Losses = new Map();
    await confirmAll(parts, losses);
    await relay.devnet.mine(99);
    await confirmAll(parts, losses);
    expect(await relay.bundles()).toMatchObject([{ l1_tx: lost?.l1_tx, superseded_tx: [] }]);
    await relay.devnet.mine(1);
    await confirmAll(parts, losses);
    const [replacement] = await relay.bundles();
    expect(replacement).toMatchObject({ status: 'POSTED', superseded_tx: [lost?.l1_tx] });
    await expectOnNetworkOnce(relay, ids, replacement?.l1_tx ?? '');
  });

  test('is posted again with the same bytes once the network has lacked it for a while', async () => {
    const relay = await testRelay({}, kind);
    const ids = await relay.accept(3);
    relay.devnet.setFault({ mode: 'drop', times: 1 });
    await relayNext(relay.parts);
    const [bundle] = await relay.bundles();
    const losses: Losses = new Map();
    await confirm(relay, losses);
    expect((await relay.network()).transactions).toEqual([]);
    expect([...losses.keys()]).toEqual([bundle?.l1_tx]);
    await confirm(relay, await oldLosses(relay));
    expect((await relay.network()).transactions).toEqual([bundle?.l1_tx]);
    await expectOnNetworkOnce(relay, ids, bundle?.l1_tx ?? '');
  });

  test('returns to pending if a reorganisation removes its block, and is mined again', async () => {
    const { relay, ids, l1Tx } = await posted(kind);
    await relay.devnet.mine();
    await confirm(relay);
    await relay.devnet.mine(5);
    expect(await statuses(relay)).toEqual(['CONFIRMED']);
    await relay.devnet.reorganise(6);
    expect(await relay.parts.client.status(l1Tx)).toEqual({ state: 'pending' });
    await confirm(relay);
    expect(await relay.bundles()).toMatchObject([{ status: 'POSTED', confirmations: 0, block_height: null }]);
    await expectOnNetworkOnce(relay, ids, l1Tx);
  });

  test('is posted again immediately if a reorganisation drops it', async () => {
    const { relay, ids, l1Tx } = await posted(kind);
    await relay.devnet.mine(2);
    await confirm(relay);
    await relay.devnet.reorganise(2, { drop: true });
    expect(await relay.parts.client.status(l1Tx)).toEqual({ state: 'unknown' });
    await relay.devnet.mine(10);
    await confirm(relay);
    expect(await relay.bundles()).toMatchObject([{ status: 'POSTED', l1_tx: l1Tx }]);
    await expectOnNetworkOnce(relay, ids, l1Tx);
  });

  test('is signed again exactly once if its anchor expired while it was lost', async () => {
    const relay = await testRelay({}, kind);
    const ids = await relay.accept(3);
    relay.devnet.setFault({ mode: 'drop', times: 1 });
    await relayNext(relay.parts);
    const [lost] = await relay.bundles();
    await relay.devnet.mine(55);
    await expect(confirm(relay, await oldLosses(relay))).rejects.toThrow('Invalid anchor');
    expect(await relay.bundles()).toMatchObject([{ l1_tx: lost?.l1_tx, status: 'POSTED' }]);
    await relay.devnet.mine(6);
    const losses: Losses = new Map();
    for (let block = 0; block < 3; block++) {
      await expect(confirm(relay, losses)).rejects.toThrow('Invalid anchor');
      expect(await relay.bundles()).toMatchObject([{ l1_tx: lost?.l1_tx }]);
      await relay.devnet.mine(1);
    }
    await confirm(relay, losses);
    await confirm(relay, losses);
    const [replacement] = await relay.bundles();
    expect(replacement).toMatchObject({ first_seq: 1, last_seq: 3, status: 'POSTED', superseded_tx: [lost?.l1_tx] });
    expect(replacement?.l1_tx).not.toBe(lost?.l1_tx);
    await expectOnNetworkOnce(relay, ids, replacement?.l1_tx ?? '');
  });

  longTest('is not paid twice if a gateway denies for several blocks that it was mined', async () => {
    const { relay, ids, l1Tx } = await posted(kind);
    await relay.devnet.mine(61);
    const gateway = await denyingGateway(relay.devnet.url, `/tx/${l1Tx}/status`);
    const parts = { ...relay.parts, client: createArweaveClient({ gatewayUrl: gateway.url }) };
    const losses: Losses = new Map();
    for (let block = 0; block < 6; block++) {
      await confirmAll(parts, losses);
      await relay.devnet.mine(1);
    }
    expect(gateway.denials()).toBe(6);
    await gateway.stop();
    expect(await relay.bundles()).toMatchObject([{ l1_tx: l1Tx, superseded_tx: [] }]);
    await expectOnNetworkOnce(relay, ids, l1Tx);
    expect(await relay.spent()).toBe(PRICE);
  });

  longTest('is signed again by only one relay if two find it expired', async () => {
    const relay = await testRelay({}, kind);
    const ids = await relay.accept(3);
    relay.devnet.setFault({ mode: 'drop', times: 1 });
    await relayNext(relay.parts);
    await relay.devnet.mine(61);
    const [lost] = await relay.bundles();
    if (!lost) throw new Error('No bundle was stored.');
    const outcomes = await Promise.allSettled([repack(relay.parts, lost), repack(relay.parts, lost)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [replacement] = await relay.bundles();
    await expectOnNetworkOnce(relay, ids, replacement?.l1_tx ?? '');
  });
});

test('a refused bundle does not block the others', async () => {
  const relay = await testRelay();
  await relay.accept(1);
  await relayNext(relay.parts);
  const second = await relay.accept(1);
  await relayNext(relay.parts);
  await relay.devnet.mine();
  const { transaction } = (await relay.bundles())[0] ?? {};
  const invalid = JSON.stringify({ ...transaction, id: 'A'.repeat(43) });
  await relay.pool.query('UPDATE bundles SET l1_tx = $1, transaction = $2 WHERE first_seq = 1', [
    'A'.repeat(43),
    invalid,
  ]);
  await expect(confirm(relay, await oldLosses(relay))).rejects.toMatchObject({ kind: 'rejected' });
  expect(await statuses(relay)).toEqual(['POSTED', 'CONFIRMED']);
  expect((await relay.network()).items).toContain(second[0]);
});

describe('of several bundles', () => {
  /** Posted one after the other and mined, with a gateway that answers as given to requests for the data of the first. */
  async function severalAt(refuse: Misbehaviour) {
    const relay = await testRelay();
    for (let bundle = 0; bundle < 3; bundle++) {
      await relay.accept(1);
      await relayNext(relay.parts);
    }
    const [first] = await relay.bundles();
    const gateway = await badGateway(
      (request, response) => request.url === `/raw/${first?.l1_tx}` && refuse(request, response),
      relay.devnet.url,
    );
    const parts = { ...relay.parts, client: createArweaveClient({ gatewayUrl: gateway.url }) };
    return { relay, parts, gateway, l1Tx: first?.l1_tx ?? '' };
  }

  test.each(amount([402], [402, 429, 503, null]))(
    'one whose data cannot be read (%s) does not stop the others',
    async (status) => {
      const { relay, parts, gateway, l1Tx } = await severalAt(({ socket }, response) =>
        Boolean(status === null ? socket.destroy() : response.writeHead(status).end()),
      );
      await relay.devnet.mine(18);
      const unread: Unread = new Map();
      const confirmThere = () => confirmAll(parts, new Map(), new Map(), unread);
      await expect(confirmThere()).rejects.toThrow(`The network does not return the posted bytes of ${l1Tx}.`);
      expect(await statuses(relay)).toEqual(['CONFIRMED', 'FINAL', 'FINAL']);
      // Its data are posted again, since a gateway that refuses to serve them may have lost them.
      expect(gateway.asked.filter((path) => path === '/chunk')).toHaveLength(1);
      expect(await readLackingData(relay.pool)).toMatchObject({ bundles: 1 });
      await expect(confirmThere()).rejects.toThrow(`The network does not return the posted bytes of ${l1Tx}.`);
      expect(gateway.asked.filter((path) => path === `/raw/${l1Tx}`)).toHaveLength(1);
    },
  );

  longTest('one whose data cannot be posted again does not stop the others', async () => {
    const { relay, l1Tx } = await severalAt(() => false);
    const refusing = await badGateway(({ url }, response) => {
      if (url === '/chunk') return Boolean(response.writeHead(503).end());
      return url === `/raw/${l1Tx}` && Boolean(response.writeHead(402).end());
    }, relay.devnet.url);
    await relay.devnet.mine();
    const parts = { ...relay.parts, client: createArweaveClient({ gatewayUrl: refusing.url }) };
    await expect(confirmAll(parts, new Map())).rejects.toThrow('503');
    expect(await statuses(relay)).toEqual(['CONFIRMED', 'CONFIRMED', 'CONFIRMED']);
  });

  longTest('one that no gateway takes does not stop the others from being confirmed', async () => {
    const { relay } = await severalAt(() => false);
    await relay.devnet.mine();
    relay.devnet.setFault({ mode: 'drop', times: 1 });
    await relay.accept(1);
    await relayNext(relay.parts);
    await relay.pool.query("UPDATE bundles SET status = 'PREPARED' WHERE first_seq = 4");
    const closed = await badGateway(
      ({ url }, response) => url === '/tx' && Boolean(response.writeHead(503).end()),
      relay.devnet.url,
    );
    const parts = { ...relay.parts, client: createArweaveClient({ gatewayUrl: closed.url }) };
    await expect(confirmAll(parts, new Map())).rejects.toThrow('503');
    expect(await statuses(relay)).toEqual(['CONFIRMED', 'CONFIRMED', 'CONFIRMED', 'PREPARED']);
  });

  test('those that the network may not have are read first, then those that were checked longest ago', async () => {
    const { relay } = await severalAt(() => false);
    await relay.devnet.mine();
    await confirm(relay);
    await relay.accept(1);
    await relayNext(relay.parts);
    await relay.pool.query("UPDATE bundles SET checked_at = '2026-01-01' WHERE first_seq = 2");
    const firstOf = async (limit: number) =>
      (await unfinishedBundles(relay.pool, limit)).map(({ first_seq }) => first_seq);
    expect(await firstOf(2)).toEqual([4, 2]);
    await relay.pool.query("UPDATE bundles SET status = 'PREPARED', checked_at = NULL WHERE first_seq = 3");
    expect(await firstOf(3)).toEqual([3, 4, 2]);
  });
});

test('while one of two gateways is down, a bundle is read after 1, 2, 4 … and at most 32 blocks', async () => {
  const { relay, l1Tx } = await posted();
  await relay.devnet.mine(18);
  const up = await badGateway(() => false, relay.devnet.url);
  const client = createGateways([up.url, 'http://127.0.0.1:9']);
  const unread: Unread = new Map();
  const readAfter: number[] = [];
  const reads = () => up.asked.filter((path) => path === `/raw/${l1Tx}`).length;
  const last = amount(8, 96);
  for (let blocks = 0; blocks <= last; blocks++) {
    const before = reads();
    for (const _ of ['the first round in this block', 'the next']) {
      await expect(confirmAll({ ...relay.parts, client }, new Map(), new Map(), unread)).rejects.toThrow(
        `Only one gateway returns the posted bytes of ${l1Tx}; a second one is waited for.`,
      );
    }
    if (reads() > before) readAfter.push(blocks);
    await relay.devnet.mine();
  }
  expect(readAfter).toEqual([0, 1, 3, 7, 15, 31, 63, 95].filter((blocks) => blocks <= last));
  expect(reads()).toBe(readAfter.length);
  expect(await readLackingData(relay.pool)).toMatchObject({ bundles: 0 });
  const both = createGateways([up.url, relay.devnet.url]);
  await relay.devnet.mine(30);
  await confirmAll({ ...relay.parts, client: both }, new Map(), new Map(), unread);
  expect(await statuses(relay)).toEqual(['FINAL']);
});

test('the status of a pending bundle is read once per block', async () => {
  const { relay, l1Tx } = await posted();
  const pending: Pending = new Map();
  const statusRequests = vi.spyOn(relay.parts.client, 'status');
  const confirmPending = () => confirmAll(relay.parts, new Map(), pending);
  for (let time = 0; time < 3; time++) await confirmPending();
  expect(statusRequests).toHaveBeenCalledTimes(1);
  await relay.devnet.mine();
  await confirmPending();
  expect(statusRequests).toHaveBeenCalledTimes(2);
  expect(await statuses(relay)).toEqual(['CONFIRMED']);

  // A bundle that lost its block is checked at every call until it is posted again.
  await relay.pool.query("UPDATE bundles SET status = 'POSTED' WHERE l1_tx = $1", [l1Tx]);
  await confirmPending();
  expect(statusRequests).toHaveBeenCalledTimes(3);
  expect(await statuses(relay)).toEqual(['CONFIRMED']);
});

test('without unfinished bundles no request is sent to the network', async () => {
  const relay = await testRelay();
  relay.devnet.setFault({ mode: 'refuse' });
  expect(await confirm(relay)).toBe(0);
  relay.devnet.setFault({ mode: 'none' });
});
