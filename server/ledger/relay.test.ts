import { describe, expect, test } from 'vitest';
import { badGateway, type Misbehaviour } from '../../auditor/audit/test-bad-gateway.ts';
import { amount, inFull } from '../../protocol/test-amount.ts';
import { createArweaveClient, GatewayError } from '../network/arweave-client.ts';
import { decodeTransactionTags } from '../network/arweave-transaction.ts';
import type { DevnetKind } from '../network/devnet/state.ts';
import { createGateways } from '../network/gateways.ts';
import { parseBundle } from './ans104.ts';
import type { BundleRow } from './bundle-rows.ts';
import { confirmAll } from './confirm.ts';
import { readBacklog } from './entries.ts';
import { pausePosting, resumePosting } from './pause.ts';
import { createQuotes, MAX_BUNDLE_BYTES, PostingBlocked, relayNext, repost } from './relay.ts';
import { testRelay } from './test-relay.ts';

const longTest = inFull(test);

const HOUR = 3_600_000;
const KINDS = amount<DevnetKind[]>(['gateway'], ['gateway', 'node']);

describe('waiting entries', () => {
  test('are posted together, in order, once the oldest has waited long enough', async () => {
    const relay = await testRelay();
    const ids = await relay.accept(5);
    expect(await relayNext({ ...relay.parts, maxAgeMs: HOUR })).toBe(0);
    expect(await relay.bundles()).toEqual([]);
    expect(await relayNext(relay.parts)).toBe(5);
    expect(await relayNext(relay.parts)).toBe(0);
    const [bundle] = await relay.bundles();
    expect(bundle).toMatchObject({ first_seq: 1, last_seq: 5, status: 'POSTED', confirmations: 0 });
    expect(await readBacklog(relay.pool)).toEqual({ entries: 0, oldestSeconds: null, finalSeq: 0 });

    await relay.devnet.mine();
    expect(await relay.network()).toEqual({ transactions: [bundle?.l1_tx], items: ids });
    const { tags } = await relay.parts.client.transaction(bundle?.l1_tx ?? '');
    expect(decodeTransactionTags(tags)).toEqual([
      { name: 'App-Name', value: 'Perpetua' },
      { name: 'Bundle-Format', value: 'binary' },
      { name: 'Bundle-Version', value: '2.0.0' },
      { name: 'First-Seq', value: '1' },
      { name: 'Last-Seq', value: '5' },
    ]);
  });

  test('are posted immediately if they fill a bundle of one chunk; the rest continues to wait', async () => {
    const relay = await testRelay({ maxAgeMs: HOUR });
    const ids = await relay.accept(70, 8_000);
    const packed: number[] = [];
    for (let count = await relayNext(relay.parts); count > 0; count = await relayNext(relay.parts)) packed.push(count);
    const bundles = await relay.bundles();
    expect(bundles).toHaveLength(2);
    expect(bundles.map(({ first_seq, last_seq }) => last_seq - first_seq + 1)).toEqual(packed);
    await relay.devnet.mine();
    for (const { l1_tx, bytes } of bundles) {
      const data = await relay.parts.client.data(l1_tx);
      expect(data.length).toBe(bytes);
      expect(bytes).toBeLessThanOrEqual(MAX_BUNDLE_BYTES);
      const items = parseBundle(data);
      expect(bytes + 64 + (items[0]?.bytes.length ?? 0)).toBeGreaterThan(MAX_BUNDLE_BYTES);
    }
    const posted = bundles.at(-1)?.last_seq ?? 0;
    expect((await relay.network()).items).toEqual(ids.slice(0, posted));
    expect(await readBacklog(relay.pool)).toMatchObject({ entries: 70 - posted });
  });
});

describe('the relay stops posting and reports the reason', () => {
  const reasonBlocked = async (relay: Awaited<ReturnType<typeof testRelay>>) => {
    const error = await relayNext(relay.parts).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PostingBlocked);
    expect(await relay.bundles()).toEqual([]);
    expect((await relay.network()).transactions).toEqual([]);
    return (error as Error).message;
  };

  test('while the price is above the cap', async () => {
    const relay = await testRelay({ maxWinston: 1_000_000_000n });
    await relay.accept(1);
    relay.devnet.setFault({ mode: 'price', factor: 3 });
    expect(await reasonBlocked(relay)).toBe(
      "The network's price of 1710000000 winston for a bundle is above the cap of 1000000000.",
    );
    relay.devnet.setFault({ mode: 'none' });
    expect(await relayNext(relay.parts)).toBe(1);
  });

  test('while the wallet cannot pay', async () => {
    const relay = await testRelay();
    await relay.accept(1);
    await relay.devnet.mint(relay.address, -(10n ** 18n));
    expect(await reasonBlocked(relay)).toBe('The wallet holds 0 winston, but the next bundle costs 570000000.');
    await relay.devnet.mint(relay.address, 570_000_000n);
    expect(await relayNext(relay.parts)).toBe(1);
    await relay.devnet.mine();
    expect(await relay.parts.client.balance(relay.address)).toBe(0n);
  });

  test('while an operator has paused posting', async () => {
    const relay = await testRelay();
    await relay.accept(1);
    expect(await pausePosting(relay.pool)).toBe(true);
    expect(await pausePosting(relay.pool)).toBe(false);
    expect(await reasonBlocked(relay)).toMatch(/^An operator has paused posting since 20\S+Z\. /);
    expect(await resumePosting(relay.pool)).toBe(true);
    expect(await resumePosting(relay.pool)).toBe(false);
    expect(await relayNext(relay.parts)).toBe(1);
  });

  test('when the daily byte budget is used up', async () => {
    const relay = await testRelay({ dailyBytes: 100 });
    await relay.accept(1);
    expect(await reasonBlocked(relay)).toBe(
      "Today's 100 bytes of network space are used up; posting continues tomorrow.",
    );
  });
});

test('while posting is paused, what was posted is confirmed, and what was not posted is not sent', async () => {
  const relay = await testRelay();
  await relay.accept(1);
  await relayNext(relay.parts);
  relay.devnet.setFault({ mode: 'drop', times: 1 });
  await relay.accept(1);
  await relayNext(relay.parts);
  await relay.pool.query("UPDATE bundles SET status = 'PREPARED' WHERE first_seq = 2");
  await pausePosting(relay.pool);
  await relay.devnet.mine();
  await expect(confirmAll(relay.parts, new Map())).rejects.toThrow(PostingBlocked);
  expect((await relay.bundles()).map(({ status }) => status)).toEqual(['CONFIRMED', 'PREPARED']);
  expect((await relay.network()).transactions).toHaveLength(1);
  await resumePosting(relay.pool);
  await confirmAll(relay.parts, new Map());
  expect((await relay.network()).transactions).toHaveLength(2);
});

describe.each(KINDS)('a transaction at a %s is paid once', (kind) => {
  test('if the gateway accepts it without a response, because it was stored before it was posted', async () => {
    const relay = await testRelay({}, kind);
    const ids = await relay.accept(3);
    relay.devnet.setFault({ mode: 'cut', times: 1 });
    await expect(relayNext(relay.parts)).rejects.toMatchObject({ kind: 'unavailable' });
    const [prepared] = await relay.bundles();
    expect(prepared).toMatchObject({ status: 'PREPARED', first_seq: 1, last_seq: 3 });
    expect(await readBacklog(relay.pool)).toMatchObject({ entries: 3 });
    expect(await relayNext(relay.parts)).toBe(0);

    expect(await confirmAll(relay.parts, new Map())).toBe(1);
    expect(await relay.bundles()).toMatchObject([{ status: 'POSTED', l1_tx: prepared?.l1_tx }]);
    await relay.devnet.mine();
    expect(await relay.network()).toEqual({ transactions: [prepared?.l1_tx], items: ids });
    expect(await relay.spent()).toBe(570_000_000n);
  });

  test('if the process ended before it was posted', async () => {
    const relay = await testRelay({}, kind);
    await relay.accept(2);
    relay.devnet.setFault({ mode: 'drop', times: 1 });
    await relayNext(relay.parts);
    await relay.pool.query("UPDATE bundles SET status = 'PREPARED', posted_at = NULL");
    const [prepared] = await relay.bundles();
    await confirmAll(relay.parts, new Map());
    expect(await relay.bundles()).toMatchObject([{ status: 'POSTED', l1_tx: prepared?.l1_tx }]);
    await relay.devnet.mine();
    expect(await relay.spent()).toBe(570_000_000n);
  });

  test('if several relays bundle the same entries at the same time', async () => {
    const relay = await testRelay({}, kind);
    const ids = await relay.accept(4);
    const outcomes = await Promise.allSettled([relayNext(relay.parts), relayNext(relay.parts), relayNext(relay.parts)]);
    const packed = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
    expect(packed.filter((count) => count > 0)).toEqual([4]);
    expect(await relayNext(relay.parts)).toBe(0);
    await relay.devnet.mine();
    expect((await relay.network()).items).toEqual(ids);
    expect(await relay.spent()).toBe(570_000_000n);
  });
});

describe('a transaction that every gateway rejects', () => {
  test.each(KINDS)('of which one is a %s is signed again at once with the new price', async (kind) => {
    const relay = await testRelay({}, kind);
    const ids = await relay.accept(2);
    let posts = 0;
    const dearer = await badGateway(async ({ url = '' }, response) => {
      if (url === '/tx' && posts++ === 0)
        return Boolean(response.writeHead(400).end('Transaction verification failed.'));
      // The price rises between the quote and the post.
      return url.startsWith('/price/') && posts > 0 && Boolean(response.end('600000000'));
    }, relay.devnet.url);
    expect(await relayNext({ ...relay.parts, client: createArweaveClient({ gatewayUrl: dearer.url }) })).toBe(2);
    const [bundle] = await relay.bundles();
    expect(bundle).toMatchObject({ status: 'POSTED', transaction: { reward: '600000000' } });
    expect(bundle?.superseded_tx).toHaveLength(1);
    await relay.devnet.mine();
    expect(await relay.network()).toEqual({ transactions: [bundle?.l1_tx], items: ids });
    expect(await relay.spent()).toBe(600_000_000n);
  });

  longTest('is signed again with the highest price that a gateway states', async () => {
    const relay = await testRelay();
    await relay.accept(1);
    const cheap = await badGateway(({ url = '' }, response) => {
      if (url === '/tx') return Boolean(response.writeHead(400).end('Nothing is taken here.'));
      return url.startsWith('/price/') && Boolean(response.end('7'));
    }, relay.devnet.url);
    await relayNext({ ...relay.parts, client: createGateways([cheap.url, relay.devnet.url]) });
    expect(await relay.bundles()).toMatchObject([{ status: 'POSTED', transaction: { reward: '570000000' } }]);
  });

  test('is not signed again while neither the price nor the anchor changed, nor beyond the cap', async () => {
    const relay = await testRelay();
    await relay.accept(1);
    const refusing = await badGateway(
      ({ url }, response) => url === '/tx' && Boolean(response.writeHead(400).end('Mempool is full.')),
      relay.devnet.url,
    );
    const parts = { ...relay.parts, client: createArweaveClient({ gatewayUrl: refusing.url }) };
    await expect(relayNext(parts)).rejects.toThrow('Mempool is full.');
    await expect(confirmAll(parts, new Map())).rejects.toThrow('Mempool is full.');
    const [bundle] = await relay.bundles();
    expect(bundle).toMatchObject({ status: 'PREPARED', superseded_tx: [] });
    relay.devnet.setFault({ mode: 'price', factor: 10_000 });
    await expect(confirmAll(parts, new Map())).rejects.toThrow('is above the cap');
    expect(await relay.bundles()).toMatchObject([{ l1_tx: bundle?.l1_tx, superseded_tx: [] }]);
    relay.devnet.setFault({ mode: 'none' });
    await confirmAll(relay.parts, new Map());
    expect(await relay.bundles()).toMatchObject([{ l1_tx: bundle?.l1_tx, status: 'POSTED' }]);
  });

  longTest(
    'is signed again only once because of the anchor, then only for a higher price or an expired anchor',
    async () => {
      const relay = await testRelay();
      await relay.accept(1);
      let factor = 1n;
      const refusing = await badGateway(({ url = '' }, response) => {
        if (url === '/tx') return Boolean(response.writeHead(400).end('Nothing is taken here.'));
        return url.startsWith('/price/') && Boolean(response.end(String(570_000_000n * factor)));
      }, relay.devnet.url);
      const parts = { ...relay.parts, client: createArweaveClient({ gatewayUrl: refusing.url }) };
      const refused = async (attempt: Promise<unknown>) => expect(attempt).rejects.toThrow('Nothing is taken here.');
      const superseded = async () => (await relay.bundles())[0]?.superseded_tx.length;
      await refused(relayNext(parts));
      for (let block = 0; block < 60; block++) {
        await relay.devnet.mine();
        await refused(confirmAll(parts, new Map()));
      }
      expect(await superseded()).toBe(1);
      factor = 2n;
      await refused(confirmAll(parts, new Map()));
      await refused(confirmAll(parts, new Map()));
      expect(await superseded()).toBe(2);
      const [{ l1_tx = '', anchor_height = 0 } = {}] = await relay.bundles();
      await relay.devnet.mine(anchor_height + 61 - (await relay.parts.client.height()));
      await refused(confirmAll(parts, new Map([[l1_tx, { height: 0, at: 0 }]])));
      expect(await superseded()).toBe(3);
    },
  );

  longTest('is not signed again once the network has it as pending', async () => {
    const relay = await testRelay();
    const ids = await relay.accept(1);
    const forwarding = await badGateway(async ({ url, method }, response) => {
      if (url !== '/tx' || method !== 'POST') return false;
      return Boolean(response.writeHead(400).end('Nothing is taken here.'));
    }, relay.devnet.url);
    const parts = { ...relay.parts, client: createArweaveClient({ gatewayUrl: forwarding.url }) };
    await expect(relayNext(parts)).rejects.toThrow('Nothing is taken here.');
    const [bundle] = await relay.bundles();
    await repost(relay.parts, bundle as BundleRow);
    await relay.pool.query("UPDATE bundles SET status = 'PREPARED', posted_at = NULL");
    relay.devnet.setFault({ mode: 'price', factor: 3 });
    await expect(confirmAll(parts, new Map())).rejects.toThrow('Nothing is taken here.');
    expect(await relay.bundles()).toMatchObject([{ l1_tx: bundle?.l1_tx, superseded_tx: [] }]);
    await relay.devnet.mine();
    await confirmAll(parts, new Map());
    expect(await relay.network()).toEqual({ transactions: [bundle?.l1_tx], items: ids });
  });

  longTest('is not signed again by confirmAll while relayNext posts it', async () => {
    const relay = await testRelay();
    await relay.accept(1);
    const [arrived, released] = [new AbortController(), new AbortController()];
    const until = ({ signal }: AbortController) => new Promise((resolve) => signal.addEventListener('abort', resolve));
    const [arrival, release] = [until(arrived), until(released)];
    let posts = 0;
    const slow = await badGateway(async ({ url }, response) => {
      if (url !== '/tx') return false;
      posts += 1;
      if (posts === 1) {
        arrived.abort();
        await release;
      }
      return Boolean(response.writeHead(400).end('Nothing is taken here.'));
    }, relay.devnet.url);
    const parts = {
      ...relay.parts,
      client: createArweaveClient({ gatewayUrl: slow.url }),
      posting: new Set<number>(),
    };
    const posting = relayNext(parts);
    await arrival;
    relay.devnet.setFault({ mode: 'price', factor: 2 });
    await confirmAll(parts, new Map());
    expect(posts).toBe(1);
    const [read] = await relay.bundles();
    released.abort();
    await expect(posting).rejects.toThrow('Nothing is taken here.');
    expect((await relay.bundles())[0]?.superseded_tx).toEqual([read?.l1_tx]);
    // The row that was read before the relay signed it again.
    await repost(parts, read as BundleRow, { isUnknown: true });
    expect(posts).toBe(2);
  });

  longTest('by some of several gateways is not signed again if another one took it, or may have taken it', async () => {
    const refusals: Misbehaviour = ({ url }, response) => url === '/tx' && Boolean(response.writeHead(400).end('No.'));
    for (const taken of [true, false]) {
      const relay = await testRelay();
      await relay.accept(1);
      const rejecting = await badGateway(async (request, response) => {
        await relay.devnet.mine();
        return refusals(request, response);
      }, relay.devnet.url);
      if (!taken) relay.devnet.setFault({ mode: 'cut', times: 1 });
      const client = createGateways([rejecting.url, relay.devnet.url]);
      const posting = relayNext({ ...relay.parts, client });
      if (taken) expect(await posting).toBe(1);
      else await expect(posting).rejects.toMatchObject({ kind: 'unavailable' });
      expect(await relay.bundles()).toMatchObject([{ superseded_tx: [], status: taken ? 'POSTED' : 'PREPARED' }]);
      await relay.devnet.mine();
      expect((await relay.network()).transactions).toHaveLength(1);
    }
  });
});

test.each(amount(['/price'], ['/info', '/tx_anchor', '/price', '/wallet']))(
  'a failed request for %s does not discard the answers to the three others',
  async (failing) => {
    const relay = await testRelay();
    await relay.accept(1);
    let failures = 1;
    const moody = await badGateway(
      ({ url = '' }, response) => url.startsWith(failing) && failures-- > 0 && Boolean(response.writeHead(503).end()),
      relay.devnet.url,
    );
    const client = createArweaveClient({ gatewayUrl: moody.url });
    const parts = { ...relay.parts, quotes: createQuotes(), client };
    await expect(relayNext(parts)).rejects.toThrow('503');
    expect(await relayNext(parts)).toBe(1);
    const paths = ['/info', '/tx_anchor', '/price', '/wallet'];
    const asked = paths.map((path) => moody.asked.filter((url) => url.startsWith(path)).length);
    expect(asked).toEqual(paths.map((path) => (path === failing ? 2 : 1)));
  },
);

test.each(amount<('refuse' | 'error' | 'delay')[]>(['error'], ['refuse', 'error', 'delay']))(
  'while a gateway fails (%s) nothing is paid; the entries are posted when it recovers',
  async (mode) => {
    const relay = await testRelay();
    const ids = await relay.accept(2);
    const impatient = createArweaveClient({ gatewayUrl: relay.devnet.url, timeoutMs: 200 });
    relay.devnet.setFault({ mode });
    for (const _ of ['once', 'again']) {
      const failed = relayNext({ ...relay.parts, client: impatient });
      await expect(failed).rejects.toMatchObject({ name: GatewayError.name, kind: 'unavailable' });
    }
    expect(await relay.bundles()).toEqual([]);
    relay.devnet.setFault({ mode: 'none' });
    expect(await relayNext(relay.parts)).toBe(2);
    await relay.devnet.mine();
    expect((await relay.network()).items).toEqual(ids);
    expect(await relay.spent()).toBe(570_000_000n);
  },
);
