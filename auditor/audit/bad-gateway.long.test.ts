import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GatewayError } from '../../server/network/arweave-client.ts';
import { clientOf } from '../../server/network/devnet/test-devnet.ts';
import { createGateways } from '../../server/network/gateways.ts';
import { testWallet } from '../../server/network/test-wallet.ts';
import { loadWallet, type Wallet } from '../../server/network/wallet.ts';
import { auditLedger } from './audit.ts';
import { type Checkers, startCheckers } from './checkers.ts';
import { rulesOf } from './first-key.ts';
import {
  badGateway,
  changingData,
  changingList,
  edge,
  listing,
  type Misbehaviour,
  packed,
  page,
  sampleLedger,
} from './test-bad-gateway.ts';
import { found } from './test-forged-ledger.ts';
import { createForgingRelayer } from './test-relayer.ts';
import { testState } from './test-state.ts';
import { builtWorker } from './test-worker.ts';

const RELAYER_SEED = randomBytes(32);
const DAY_MS = 24 * 3_600_000;

let wallet: Wallet;
let checkers: Checkers;
beforeAll(async () => {
  wallet = loadWallet(await testWallet());
  const { relayerKey } = createForgingRelayer({ client: clientOf({ url: '' }), wallet }, RELAYER_SEED);
  checkers = startCheckers(rulesOf(relayerKey, undefined, null), { file: await builtWorker('check.worker') });
});
afterAll(() => checkers.close());

/** An audit of the ledger that a gateway serves. */
const auditAt = ({ url }: { url: string }) =>
  auditLedger({
    client: clientOf({ url }, 15_000),
    wallet: wallet.address,
    checkers,
    state: testState(),
    maxDelayMs: DAY_MS,
  });

/** The audit fails, and blames the gateway instead of reporting a breach. */
async function expectUndecided(gateway: { url: string }, sentence: string | RegExp): Promise<void> {
  const audit = auditAt(gateway);
  await expect(audit).rejects.toThrow(sentence);
  await expect(audit).rejects.toBeInstanceOf(GatewayError);
}

describe('a list of transactions', () => {
  test('that repeats transactions is not read forever', async () => {
    const edges = Array.from({ length: 100 }, (_, number) => edge(number));
    await expectUndecided(await badGateway(listing(() => page(edges))), 'lists the same transactions');
    let answers = 0;
    const newCursors = listing(() => {
      answers += 1;
      return page(edges.map((one) => ({ ...one, cursor: `${one.cursor}, answer ${answers}` })));
    });
    await expectUndecided(await badGateway(newCursors), 'lists the same transactions');
    let odd = false;
    const alternating = listing(() => {
      odd = !odd;
      return page(odd ? edges.slice(0, 50) : edges.slice(50));
    });
    await expectUndecided(await badGateway(alternating), 'lists the same transactions');
  });

  test.concurrent.for<[string, string, string]>([
    [
      'an invalid id',
      page([edge(0, { id: '../../\u001b[2J' })]),
      'not as expected (data.transactions.edges.0.node.id)',
    ],
    [
      'a block after the latest valid date',
      page([edge(0, { block: { height: 1, timestamp: 9e15 } })]),
      'edges.0.node.block.timestamp',
    ],
    ['a page that is too long', page(Array.from({ length: 101 }, (_, number) => edge(number))), 'transactions.edges)'],
    ['deeply nested JSON', '['.repeat(4_000_000), 'is not JSON'],
    ['more than 8 MiB', page([]).padEnd(20_000_000), 'is larger than 8388608 bytes'],
    ['an error', JSON.stringify({ errors: [{ message: 'too busy' }] }), 'could not answer a query: too busy'],
  ])('with %s is not accepted', async ([, response, sentence], { onTestFinished }) => {
    await expectUndecided(
      await badGateway(
        listing(() => response),
        undefined,
        onTestFinished,
      ),
      sentence,
    );
  });

  test('in shorter pages, each of which states that it is the last, is read to its end', async () => {
    const { devnet } = await sampleLedger(RELAYER_SEED);
    devnet.setFault({ mode: 'page', size: 1 });
    const audit = await auditAt(devnet);
    expect(found(audit)).toEqual([]);
    expect([audit.network.entries, audit.bundles.mined]).toEqual([3, 3]);
  });
});

describe('a redirect', () => {
  test.each<[string, (path: string) => boolean]>([
    ['the list', (path) => path === '/graphql'],
    ['the data', (path) => path.startsWith('/raw/')],
  ])('of %s to another address is not followed', async (_, concerns) => {
    const { devnet } = await sampleLedger(RELAYER_SEED);
    const other = await badGateway((_, response) => Boolean(response.end('secret')));
    const locations = [`${other.url.replace('127.0.0.1', 'localhost')}/x`, `${other.url}/x`, 'file:///etc/passwd'];
    const redirecting = (location: string) =>
      badGateway(
        ({ url = '' }, response) => concerns(url) && Boolean(response.writeHead(307, { location }).end()),
        devnet.url,
      );
    await Promise.all(
      locations.map(async (location) => expectUndecided(await redirecting(location), 'which is not followed')),
    );
    expect(other.asked).toEqual([]);
  });

  test('in a circle is followed three times', async () => {
    const { devnet } = await sampleLedger(RELAYER_SEED);
    const circle: Misbehaviour = ({ url = '' }, response) =>
      url.startsWith('/raw/') && Boolean(response.writeHead(302, { location: url }).end());
    await expectUndecided(await badGateway(circle, devnet.url), 'more than 3 times');
  });

  test('to another path of the gateway is followed', async () => {
    const { devnet } = await sampleLedger(RELAYER_SEED);
    const moved: Misbehaviour = ({ url = '' }, response) =>
      url.startsWith('/raw/') && Boolean(response.writeHead(302, { location: url.replace('/raw', '') }).end());
    const audit = await auditAt(await badGateway(moved, devnet.url));
    expect(found(audit)).toEqual([]);
    expect(audit.network.entries).toBe(3);
  });
});

describe('a gateway that does not serve the data', () => {
  const DATA = /^\/(raw\/)?[\w-]{43}$/;

  test.each([400, 401, 402, 403, 421, 451, 500])('and answers %i is no breach of the ledger', async (status) => {
    const { devnet, ids } = await sampleLedger(RELAYER_SEED);
    const refusing = await badGateway(
      ({ url = '' }, response) => DATA.test(url) && Boolean(response.writeHead(status).end('No.')),
      devnet.url,
    );
    await expectUndecided(refusing, `The gateway answered ${status} (No.) to GET /`);
    const alone = createGateways([refusing.url]);
    const named = `${refusing.url}: The gateway answered ${status}`;
    await expect(alone.data(ids[0] ?? '')).rejects.toThrow(named);
    // Another one that lacks the data does not decide for this one.
    const lacking = await badGateway(
      ({ url = '' }, response) => DATA.test(url) && Boolean(response.writeHead(404).end()),
      devnet.url,
    );
    const both = createGateways([lacking.url, refusing.url]);
    await expect(both.data(ids[0] ?? '')).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining(named),
    });
  });

  test.each([
    [404, 404],
    [410, 410],
    [400, 404],
  ])('with %i and %i, so that they are missing, is a breach', async (raw, own) => {
    const { devnet } = await sampleLedger(RELAYER_SEED);
    const lacking = await badGateway(
      ({ url = '' }, response) =>
        DATA.test(url) && Boolean(response.writeHead(url.startsWith('/raw/') ? raw : own).end()),
      devnet.url,
    );
    const audit = await auditAt(lacking);
    expect(found(audit).map(({ kind }) => kind)).toEqual(Array(3).fill('BUNDLE_UNREADABLE'));
  });

  test('at /raw but at /<id>, like a node, is read there', async () => {
    const { devnet } = await sampleLedger(RELAYER_SEED);
    const node = await badGateway(
      ({ url = '' }, response) =>
        url.startsWith('/raw/') && Boolean(response.writeHead(400).end('Request type not found.')),
      devnet.url,
    );
    const audit = await auditAt(node);
    expect([found(audit), audit.network.entries]).toEqual([[], 3]);
  });
});

describe('content that a gateway has altered is not a breach of the ledger', () => {
  test('in the data', async () => {
    const { devnet, ids } = await sampleLedger(RELAYER_SEED);
    const dataOf = async (id: string) => Buffer.from(await (await fetch(`${devnet.url}/raw/${id}`)).arrayBuffer());
    const changes: ((data: Buffer, id: string) => Buffer | Promise<Buffer>)[] = [
      () => Buffer.from('<html>Not found</html>'),
      () => Buffer.alloc(0),
      (data) => data.subarray(0, -1),
      (data) => Buffer.concat([data, Buffer.alloc(1)]),
      (data) => Buffer.from(data).fill(0x20, data.length - 4),
      (_, id) => dataOf(ids[(ids.indexOf(id) + 1) % ids.length] ?? ''),
    ];
    for (const change of changes) {
      const gateway = await badGateway(changingData(devnet.url, change), devnet.url);
      await expectUndecided(gateway, /gives bytes for transaction [\w-]{43} that are not its data/);
    }
  });

  test('in the list', async () => {
    const { devnet, ids } = await sampleLedger(RELAYER_SEED);
    const otherTags = changingList(devnet.url, (list) => list.replaceAll('"value":"3"', '"value":"7"'));
    const wrongTags = /lists transaction [\w-]{43} with other tags than it has/;
    await expectUndecided(await badGateway(otherTags, devnet.url), wrongTags);
    const otherId = changingList(devnet.url, (list) => list.replaceAll(ids[1] ?? '', 'y'.repeat(43)));
    const unknown = /lists transaction y{43}, which it does not have \(404\)/;
    await expectUndecided(await badGateway(otherId, devnet.url), unknown);
  });

  test('in the data and the transaction', async () => {
    const { devnet, ids } = await sampleLedger(RELAYER_SEED);
    const header = await (await fetch(`${devnet.url}/tx/${ids[0]}`)).json();
    const answers = [header, { ...header, data_root: '' }, { ...header, owner: 'A'.repeat(683) }, { format: 1 }, 'x'];
    const forging =
      (answer: unknown): Misbehaviour =>
      ({ url = '' }, response) => {
        if (url.startsWith('/raw/')) return Boolean(response.end('x'));
        return /^\/tx\/[\w-]{43}$/.test(url) && Boolean(response.end(JSON.stringify(answer)));
      };
    const sentence = /is not the transaction|not as expected|not its data/;
    await Promise.all(
      answers.map(async (answer) => expectUndecided(await badGateway(forging(answer), devnet.url), sentence)),
    );
  });

  test('unless the wallet itself posted the data', async () => {
    const { devnet, relayer } = await sampleLedger(RELAYER_SEED);
    const item = relayer.write(relayer.create('bruno.bsp').draft);
    await relayer.post([item], { data: Buffer.from('not a bundle') });
    await devnet.mine();
    expect(found(await auditAt(devnet))).toMatchObject([{ kind: 'BUNDLE_UNREADABLE' }]);
  });
});

describe('data larger than 64 MiB is not read', () => {
  const endless: Misbehaviour = ({ url = '' }, response) => {
    if (!url.startsWith('/raw/')) return false;
    const piece = Buffer.alloc(1024 * 1024);
    const more = () => {
      while (response.write(piece));
    };
    response.on('drain', more);
    more();
    return true;
  };

  test.each([
    ['as it is', endless],
    ['compressed', packed],
  ])('%s', async (_, misbehaviour) => {
    const { devnet } = await sampleLedger(RELAYER_SEED);
    await expectUndecided(await badGateway(misbehaviour, devnet.url), 'is larger than 67108864 bytes');
  });
});
