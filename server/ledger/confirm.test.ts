import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { createArweaveClient } from '../network/arweave-client.ts';
import { confirmAll, type Losses, type Pending } from './confirm.ts';
import { readBacklog } from './entries.ts';
import { relayNext, repack } from './relay.ts';
import { type TestRelay, testRelay } from './test-relay.ts';

const PRICE = 570_000_000n;

/** As if the transactions had been missing for longer than a gateway needs to list them. */
async function missingForLong(relay: TestRelay): Promise<Losses> {
  return new Map((await relay.bundles()).map(({ l1_tx }) => [l1_tx, { height: 0, at: performance.now() - 60_000 }]));
}

const look = (relay: TestRelay, lostSince = new Map()) => confirmAll(relay.parts, lostSince);
const statuses = async (relay: TestRelay) => (await relay.bundles()).map(({ status }) => status);

async function posted(count = 3) {
  const relay = await testRelay();
  const ids = await relay.accept(count);
  expect(await relayNext(relay.parts)).toBe(count);
  const [bundle] = await relay.bundles();
  return { relay, ids, l1Tx: bundle?.l1_tx ?? '' };
}

/** A real gateway in front of the devnet that answers 404 to one path, and everything else truly. */
async function lyingGateway(truth: string, deniedPath: string) {
  let lies = 0;
  const server = createServer(async (request, response) => {
    if (request.url === deniedPath) {
      lies += 1;
      return void response.writeHead(404).end('Not Found.');
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
    const type = request.headers['content-type'] ?? 'text/plain';
    const init = { method: request.method ?? 'GET', headers: { 'content-type': type }, ...body };
    const answer = await fetch(`${truth}${request.url}`, init);
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    lies: () => lies,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** On the network in one transaction, everything in order, paid once. */
async function expectWholeOnNetwork(relay: TestRelay, ids: readonly string[], l1Tx: string): Promise<void> {
  await relay.devnet.mine(18);
  await look(relay);
  expect(await statuses(relay)).toEqual(['FINAL']);
  expect(await relay.network()).toEqual({ transactions: [l1Tx], items: ids });
  expect(await relay.spent()).toBe(PRICE);
}

describe('a posted bundle', () => {
  test('is confirmed by its first block and final by its eighteenth', async () => {
    const { relay, ids, l1Tx } = await posted();
    expect(await look(relay)).toBe(1);
    expect(await statuses(relay)).toEqual(['POSTED']);
    await relay.devnet.mine();
    await look(relay);
    expect(await relay.bundles()).toMatchObject([{ status: 'CONFIRMED', confirmations: 1, block_height: 1 }]);
    await relay.devnet.mine(16);
    await look(relay);
    expect(await relay.bundles()).toMatchObject([{ status: 'CONFIRMED', confirmations: 17 }]);
    expect(await readBacklog(relay.pool)).toMatchObject({ finalSeq: 0 });
    await relay.devnet.mine();
    await look(relay);
    expect(await relay.bundles()).toMatchObject([{ status: 'FINAL', confirmations: 18 }]);
    expect(await readBacklog(relay.pool)).toMatchObject({ finalSeq: 3 });
    expect(await look(relay)).toBe(0);
    await expectWholeOnNetwork(relay, ids, l1Tx);
  });

  test('is not final while other bytes are read back than were posted', async () => {
    const { relay, ids, l1Tx } = await posted();
    const [bundle] = await relay.bundles();
    await relay.pool.query('UPDATE bundles SET data_sha256 = $1', ['00'.repeat(32)]);
    await relay.devnet.mine(25);
    await expect(look(relay)).rejects.toThrow(`The network does not give back the bytes of ${l1Tx}.`);
    expect(await statuses(relay)).toEqual(['CONFIRMED']);
    await relay.pool.query('UPDATE bundles SET data_sha256 = $1', [bundle?.data_sha256]);
    await expectWholeOnNetwork(relay, ids, l1Tx);
  });

  test('that the network lost is posted again, the same bytes, once it has been missing for a while', async () => {
    const relay = await testRelay();
    const ids = await relay.accept(3);
    relay.devnet.setFault({ mode: 'drop', times: 1 });
    await relayNext(relay.parts);
    const [bundle] = await relay.bundles();
    const lostSince = new Map();
    await look(relay, lostSince);
    expect((await relay.network()).transactions).toEqual([]);
    expect([...lostSince.keys()]).toEqual([bundle?.l1_tx]);
    await look(relay, await missingForLong(relay));
    expect((await relay.network()).transactions).toEqual([bundle?.l1_tx]);
    await expectWholeOnNetwork(relay, ids, bundle?.l1_tx ?? '');
  });

  test('goes back to pending with the six blocks that a reorganisation takes away, and comes again', async () => {
    const { relay, ids, l1Tx } = await posted();
    await relay.devnet.mine();
    await look(relay);
    await relay.devnet.mine(5);
    expect(await statuses(relay)).toEqual(['CONFIRMED']);
    await relay.devnet.reorganise(6);
    expect(await relay.parts.client.status(l1Tx)).toEqual({ state: 'pending' });
    await look(relay);
    expect(await relay.bundles()).toMatchObject([{ status: 'POSTED', confirmations: 0, block_height: null }]);
    await expectWholeOnNetwork(relay, ids, l1Tx);
  });

  test('that a reorganisation threw out altogether is posted again at once', async () => {
    const { relay, ids, l1Tx } = await posted();
    await relay.devnet.mine(2);
    await look(relay);
    await relay.devnet.reorganise(2, { drop: true });
    expect(await relay.parts.client.status(l1Tx)).toEqual({ state: 'unknown' });
    await relay.devnet.mine(10);
    await look(relay);
    expect(await relay.bundles()).toMatchObject([{ status: 'POSTED', l1_tx: l1Tx }]);
    await expectWholeOnNetwork(relay, ids, l1Tx);
  });

  test('whose anchor has expired while it was lost is packed anew, exactly once', async () => {
    const relay = await testRelay();
    const ids = await relay.accept(3);
    relay.devnet.setFault({ mode: 'drop', times: 1 });
    await relayNext(relay.parts);
    const [lost] = await relay.bundles();
    await relay.devnet.mine(55);
    await expect(look(relay, await missingForLong(relay))).rejects.toThrow('Invalid anchor');
    expect(await relay.bundles()).toMatchObject([{ l1_tx: lost?.l1_tx, status: 'POSTED' }]);
    await relay.devnet.mine(6);
    const losses: Losses = new Map();
    for (let block = 0; block < 3; block++) {
      await expect(look(relay, losses)).rejects.toThrow('Invalid anchor');
      expect(await relay.bundles()).toMatchObject([{ l1_tx: lost?.l1_tx }]);
      await relay.devnet.mine(1);
    }
    await look(relay, losses);
    await look(relay, losses);
    const [fresh] = await relay.bundles();
    expect(fresh).toMatchObject({ first_seq: 1, last_seq: 3, status: 'POSTED', superseded_tx: [lost?.l1_tx] });
    expect(fresh?.l1_tx).not.toBe(lost?.l1_tx);
    await expectWholeOnNetwork(relay, ids, fresh?.l1_tx ?? '');
  });

  test('is never paid for twice, though a gateway denies for blocks on end that it was mined', async () => {
    const { relay, ids, l1Tx } = await posted();
    await relay.devnet.mine(61);
    const liar = await lyingGateway(relay.devnet.url, `/tx/${l1Tx}/status`);
    const parts = { ...relay.parts, client: createArweaveClient({ gatewayUrl: liar.url }) };
    const losses: Losses = new Map();
    for (let block = 0; block < 6; block++) {
      await confirmAll(parts, losses);
      await relay.devnet.mine(1);
    }
    expect(liar.lies()).toBe(6);
    await liar.stop();
    expect(await relay.bundles()).toMatchObject([{ l1_tx: l1Tx, superseded_tx: [] }]);
    await expectWholeOnNetwork(relay, ids, l1Tx);
    expect(await relay.spent()).toBe(PRICE);
  });

  test('is packed anew by one relay only, though two find it expired', async () => {
    const relay = await testRelay();
    const ids = await relay.accept(3);
    relay.devnet.setFault({ mode: 'drop', times: 1 });
    await relayNext(relay.parts);
    await relay.devnet.mine(61);
    const [lost] = await relay.bundles();
    if (!lost) throw new Error('There is no bundle.');
    const outcomes = await Promise.allSettled([repack(relay.parts, lost), repack(relay.parts, lost)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [fresh] = await relay.bundles();
    await expectWholeOnNetwork(relay, ids, fresh?.l1_tx ?? '');
  });
});

test('one bundle that is refused does not hold up the others', async () => {
  const relay = await testRelay();
  await relay.accept(1);
  await relayNext(relay.parts);
  const second = await relay.accept(1);
  await relayNext(relay.parts);
  await relay.devnet.mine();
  const { transaction } = (await relay.bundles())[0] ?? {};
  const spoiled = JSON.stringify({ ...transaction, id: 'A'.repeat(43) });
  await relay.pool.query('UPDATE bundles SET l1_tx = $1, transaction = $2 WHERE first_seq = 1', [
    'A'.repeat(43),
    spoiled,
  ]);
  await relay.pool.query("UPDATE bundles SET status = 'PREPARED' WHERE first_seq = 1");
  await expect(look(relay)).rejects.toMatchObject({ kind: 'rejected' });
  expect(await statuses(relay)).toEqual(['PREPARED', 'CONFIRMED']);
  expect((await relay.network()).items).toContain(second[0]);
});

test('what waits for a block is asked about once a block', async () => {
  const { relay, l1Tx } = await posted();
  const pending: Pending = new Map();
  const asked = vi.spyOn(relay.parts.client, 'status');
  const lookAgain = () => confirmAll(relay.parts, new Map(), pending);
  for (let time = 0; time < 3; time++) await lookAgain();
  expect(asked).toHaveBeenCalledTimes(1);
  await relay.devnet.mine();
  await lookAgain();
  expect(asked).toHaveBeenCalledTimes(2);
  expect(await statuses(relay)).toEqual(['CONFIRMED']);

  // Taken out of its block again, it is looked at as long as it is not posted anew.
  await relay.pool.query("UPDATE bundles SET status = 'POSTED' WHERE l1_tx = $1", [l1Tx]);
  await lookAgain();
  expect(asked).toHaveBeenCalledTimes(3);
  expect(await statuses(relay)).toEqual(['CONFIRMED']);
});

test('nothing on its way asks the network nothing', async () => {
  const relay = await testRelay();
  relay.devnet.setFault({ mode: 'refuse' });
  expect(await look(relay)).toBe(0);
  relay.devnet.setFault({ mode: 'none' });
});
