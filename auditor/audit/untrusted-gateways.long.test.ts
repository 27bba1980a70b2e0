import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { clientOf, collect } from '../../server/network/devnet/test-devnet.ts';
import { createGateways, type Gateways } from '../../server/network/gateways.ts';
import { testWallet } from '../../server/network/test-wallet.ts';
import { loadWallet, type Wallet } from '../../server/network/wallet.ts';
import { auditLedger } from './audit.ts';
import { listBundles } from './bundle-list.ts';
import { type Checkers, startCheckers } from './checkers.ts';
import { rulesOf } from './first-key.ts';
import {
  badGateway,
  changingData,
  changingList,
  edge,
  listing,
  type Misbehaviour,
  page,
  sampleLedger,
  without,
} from './test-bad-gateway.ts';
import { found } from './test-forged-ledger.ts';
import { createForgingRelayer } from './test-relayer.ts';
import { testState } from './test-state.ts';
import { builtWorker } from './test-worker.ts';

const RELAYER_SEED = randomBytes(32);
const DAY_MS = 24 * 3_600_000;
/** Waits are short: each test has a gateway that answers at once. */
const TIMES = { timeoutMs: 15_000, slowMs: 500, lateMs: 1_500 };

let wallet: Wallet;
let checkers: Checkers;
beforeAll(async () => {
  wallet = loadWallet(await testWallet());
  const { relayerKey } = createForgingRelayer({ client: clientOf({ url: '' }), wallet }, RELAYER_SEED);
  checkers = startCheckers(rulesOf(relayerKey, undefined, null), { file: await builtWorker('check.worker') });
});
afterAll(() => checkers.close());

const auditAt = (client: Gateways) =>
  auditLedger({ client, wallet: wallet.address, checkers, state: testState(), maxDelayMs: DAY_MS });

const namesOf = (gateways: Gateways) => [...new Set(gateways.faults().map(({ gateway }) => gateway))].sort();

/** @param named waits until the report names the gateway */
type Misbehave = (devnetUrl: string, ids: readonly string[], named: () => Promise<void>) => Misbehaviour;

/** Audits the sample ledger, at a gateway that misbehaves and is asked first, and at an honest one. */
async function auditBeside(misbehaviour: Misbehave) {
  const { devnet, ids, relayer } = await sampleLedger(RELAYER_SEED);
  const named = () => expect.poll(() => gateways.faults().map(({ gateway }) => gateway)).toContain(bad.url);
  const bad = await badGateway(misbehaviour(devnet.url, ids, named), devnet.url);
  const gateways = createGateways([bad.url, devnet.url], TIMES);
  const audit = await auditAt(gateways);
  return { devnet, relayer, bad, audit, faults: gateways.faults() };
}

const endlessData: Misbehaviour = ({ url = '' }, response) => {
  if (!url.startsWith('/raw/')) return false;
  const more = () => {
    while (response.write(Buffer.alloc(1024 * 1024)));
  };
  response.on('drain', more);
  more();
  return true;
};

/** Transactions that do not exist, without end. */
const endlessList = listing((cursor) => {
  const from = cursor === null ? 0 : Number(cursor.split(' ')[1]) + 1;
  return page(Array.from({ length: 100 }, (_, number) => edge(from + number)));
});

/** The same page again and again, each time with new cursors. */
const repeatedList = listing((cursor) => {
  const edges = Array.from({ length: 100 }, (_, number) => edge(number, { block: null }));
  return page(edges.map((one) => ({ ...one, cursor: `${one.cursor} after ${String(cursor).length}` })));
});

describe('beside an honest gateway, the result is right, and the report names a gateway that', () => {
  test.each<[string, Misbehave, RegExp]>([
    [
      'is down',
      () =>
        ({ socket }) =>
          Boolean(socket.destroy()),
      /cannot be reached/,
    ],
    ['answers errors', () => (_, response) => Boolean(response.writeHead(503).end('busy')), /answered 503 \(busy\)/],
    [
      'omits a transaction',
      (url, ids) => changingList(url, without(ids[1] ?? '')),
      /^The gateway does not list transaction [\w-]{43}, which another lists\.$/,
    ],
    [
      'alters data',
      (url) => changingData(url, (data) => Buffer.from(data).fill(0x20, data.length - 4)),
      /gives bytes for transaction [\w-]{43} that are not its data/,
    ],
    [
      'has no data',
      () =>
        ({ url = '' }, response) =>
          /^\/(raw\/)?[\w-]{43}$/.test(url) && Boolean(response.writeHead(404).end()),
      /answered 404/,
    ],
    ['streams data without end', () => endlessData, /is larger than \d{3,4} bytes/],
    [
      'invents a transaction',
      (url, ids) => changingList(url, (list) => list.replaceAll(ids[1] ?? '', 'y'.repeat(43))),
      /lists transaction y{43}, which no gateway has/,
    ],
    [
      'states other tags',
      (url) => changingList(url, (list) => list.replaceAll('"value":"3"', '"value":"7"')),
      /lists transaction [\w-]{43} with other tags than it has/,
    ],
    ['lists transactions without end', () => endlessList, /lists transaction x+\d+, which no gateway has/],
    ['lists the same transactions again', () => repeatedList, /lists the same transactions (of wallet \S+ )?again/],
    [
      'is slow',
      (_url, _ids, named) => async () => {
        await named();
        return false;
      },
      /takes longer than 0\.5 seconds|did not complete its list/,
    ],
    ['never answers', () => () => new Promise<boolean>(() => undefined), /did not complete its list within 2 seconds/],
  ])('%s', async (_, misbehaviour, problem) => {
    const { audit, bad, faults } = await auditBeside(misbehaviour);
    expect(found(audit)).toEqual([]);
    expect([audit.network.entries, audit.bundles.mined, audit.complete]).toEqual([3, 3, true]);
    const named = faults.filter(({ gateway }) => gateway === bad.url).map((fault) => fault.problem);
    expect(named).toContainEqual(expect.stringMatching(problem));
    expect(bad.asked.length).toBeLessThan(1_200);
  });
});

test('what is kept of a list does not grow with its tags', async () => {
  const { devnet, ids } = await sampleLedger(RELAYER_SEED);
  const tags = Array.from({ length: 128 }, () => ({ name: 'x', value: 'y'.repeat(31) }));
  const edges = Array.from({ length: 1_000 }, (_, number) => edge(number, { block: null, tags }));
  const pages = listing((cursor) => {
    const from = cursor === null ? 0 : Number(cursor.split(' ')[1]) + 1;
    return page(edges.slice(from, from + 100));
  });
  const bad = await badGateway(pages, devnet.url);
  const gateways = createGateways([bad.url, devnet.url], TIMES);
  const found = await collect(gateways.bundles({ owner: wallet.address, tags: [] }));
  expect(found.filter(({ block }) => block).map(({ id }) => id)).toEqual(ids);
  expect(found).toHaveLength(1_003);
  for (const bundle of found) expect(JSON.stringify(bundle).length).toBeLessThan(250);
});

test('a list that does not end in the time that its length allows is given up, also if some of its pages fail', async () => {
  let asked = 0;
  const slow = listing((cursor) => {
    const next = cursor === null ? 0 : Number(cursor.split(' ')[1]) + 1;
    return page([edge(next)]);
  });
  const gateway = await badGateway(async (request, response) => {
    asked += 1;
    await sleep(20);
    return asked % 3 === 0 ? Boolean(response.writeHead(503).end()) : slow(request, response);
  });
  const found = listBundles(createGateways([gateway.url], { listMs: 400 }), wallet.address);
  await expect(found).rejects.toThrow(/listed only \d+ transactions of wallet \S+ in 0 seconds/);
  expect(asked).toBeLessThan(50);
});

test('a slow list is waited for from the moment at which another one is complete', async () => {
  const { devnet, ids } = await sampleLedger(RELAYER_SEED);
  const times = { ...TIMES, lateMs: 6_000 };
  let isComplete = (): void => undefined;
  const complete = new Promise<void>((resolve) => {
    isComplete = resolve;
  });
  let pages = 0;
  const omitting = changingList(devnet.url, without(ids[1] ?? ''));
  const first = await badGateway(async (request, response) => {
    if (request.url !== '/graphql') return false;
    pages += 1;
    if (pages === 1) await sleep(times.lateMs + 100);
    else response.on('close', isComplete);
    return omitting(request, response);
  }, devnet.url);
  let isFirstPage = true;
  const slower = await badGateway(async ({ url }) => {
    if (url === '/graphql' && isFirstPage) await complete.then(() => sleep(600));
    isFirstPage = false;
    return false;
  }, devnet.url);
  const gateways = createGateways([first.url, slower.url], times);
  const found = await collect(gateways.bundles({ owner: wallet.address, tags: [] }));
  expect(found.map(({ id }) => id)).toEqual(ids);
  expect(gateways.faults().map(({ problem }) => problem)).not.toContainEqual(
    expect.stringContaining('did not complete'),
  );
});

test('two gateways of which each omits what the other lists are complete together', async () => {
  const { devnet, ids } = await sampleLedger(RELAYER_SEED);
  const omitting = (id = '') => badGateway(changingList(devnet.url, without(id)), devnet.url);
  const [one, other] = await Promise.all([omitting(ids[0]), omitting(ids[2])]);
  const gateways = createGateways([one.url, other.url], TIMES);
  const audit = await auditAt(gateways);
  expect(found(audit)).toEqual([]);
  expect(audit.network.entries).toBe(3);
  expect(namesOf(gateways)).toEqual([one.url, other.url].sort());
});

test('the block of a transaction is the one that most gateways state; in a tie, both are named', async () => {
  const { devnet } = await sampleLedger(RELAYER_SEED);
  const changed = changingList(devnet.url, (list) => list.replaceAll('"height":2', '"height":7'));
  const bad = await badGateway(changed, devnet.url);
  const honest = await badGateway(() => false, devnet.url);
  const [, second] = (await listBundles(createGateways([devnet.url]), wallet.address)).bundles;
  const three = createGateways([bad.url, devnet.url, honest.url], TIMES);
  expect((await listBundles(three, wallet.address)).bundles[1]).toEqual(second);
  expect(namesOf(three)).toEqual([bad.url]);
  const two = createGateways([bad.url, devnet.url], TIMES);
  await listBundles(two, wallet.address);
  expect(two.faults()).toMatchObject([
    { gateway: devnet.url, problem: expect.stringContaining(`${bad.url} states block 7`) },
  ]);
});

test('a breach is reported although one gateway hides it', async () => {
  const { devnet, relayer, person, beoId } = await sampleLedger(RELAYER_SEED);
  Object.assign(relayer.head, { seq: 2, id: null });
  const rival = await relayer.post([relayer.write(relayer.act(person, beoId, 'lockBEO'))]);
  await devnet.mine();
  const hiding = await badGateway(changingList(devnet.url, without(rival)), devnet.url);
  const alone = await auditAt(createGateways([hiding.url], TIMES));
  expect(found(alone)).toEqual([]);
  const together = await auditAt(createGateways([hiding.url, devnet.url], TIMES));
  expect(found(together)).toMatchObject([{ kind: 'EQUIVOCATION' }]);
});

test('transactions of another wallet are not read', async () => {
  const { devnet } = await sampleLedger(RELAYER_SEED);
  const other = 'A'.repeat(43);
  const foreign: Misbehaviour = async (request, response) => {
    if (request.url !== '/graphql') return false;
    const body = (await text(request)).replace(other, wallet.address);
    response.end(await (await fetch(`${devnet.url}/graphql`, { method: 'POST', body })).text());
    return true;
  };
  const bad = await badGateway(foreign, devnet.url);
  const gateways = createGateways([bad.url, devnet.url], TIMES);
  expect((await listBundles(gateways, other)).bundles).toEqual([]);
  expect(gateways.faults()[0]?.problem).toMatch(/belongs to another wallet/);
});

test('what a list leaves out is looked up by its First-Seq, in the middle and at the end', async () => {
  const { devnet, ids } = await sampleLedger(RELAYER_SEED);
  const incomplete = changingList(devnet.url, (list, query) =>
    query.includes('First-Seq') ? list : without(...ids.slice(1))(list),
  );
  const gateway = await badGateway(incomplete, devnet.url);
  const { bundles } = await listBundles(createGateways([gateway.url]), wallet.address);
  expect(bundles.map(({ id }) => id)).toEqual(ids);
});

test('a list that lacks more than a thousand transactions of its own index is a fault of the gateway, not a gap', async () => {
  const incomplete: Misbehaviour = async (request, response) => {
    const { variables } = JSON.parse(await text(request));
    const { values } = variables.tags.find(({ name }: { name: string }) => name === 'First-Seq') ?? {};
    const { node } = edge(Number(values ?? 5_000) - 1);
    const edges = Array.from({ length: 100 }, (_, copy) => edge(copy, { tags: node.tags }));
    response.end(page(variables.after === undefined ? edges : []));
    return true;
  };
  const gateway = await badGateway(incomplete);
  const found = listBundles(createGateways([gateway.url]), wallet.address);
  await expect(found).rejects.toMatchObject({
    kind: 'misbehaving',
    message: expect.stringMatching(/^The list of wallet \S+ lacks more than 1000 transactions that the gateway finds/),
  });
});

test('a height or a depth that only one of several gateways states does not count, whichever is asked first', async () => {
  const { devnet, ids } = await sampleLedger(RELAYER_SEED);
  const boasting = await badGateway(({ url = '' }, response) => {
    const depth = { block_height: 1, block_indep_hash: 'x'.repeat(64), number_of_confirmations: 99 };
    if (url === '/info') return Boolean(response.end(JSON.stringify({ height: 1_000 })));
    return url.endsWith('/status') && Boolean(response.end(JSON.stringify(depth)));
  }, devnet.url);
  const denying = await badGateway(
    ({ url = '' }, response) => url.endsWith('/status') && Boolean(response.writeHead(404).end()),
    devnet.url,
  );
  const honest = await badGateway(() => false, devnet.url);
  const at = async (...gateways: { url: string }[]) => {
    const client = createGateways(
      gateways.map(({ url }) => url),
      TIMES,
    );
    return [await client.height(), await client.status(ids[0] ?? '')];
  };
  const honestly = [3, expect.objectContaining({ state: 'mined', confirmations: 3 })];
  for (const urls of [
    [boasting, devnet],
    [devnet, boasting],
    [boasting, devnet, honest],
    [devnet, denying, honest],
    [devnet, { url: 'http://127.0.0.1:9' }],
  ]) {
    expect(await at(...urls)).toEqual(honestly);
  }
  expect(await at(devnet, denying)).toEqual([3, expect.objectContaining({ state: 'mined', confirmations: 1 })]);
});

test('if no gateway answers, the error names every one', async () => {
  const refusing = await badGateway((_, response) => Boolean(response.writeHead(503).end()));
  const gateways = createGateways([refusing.url, 'http://127.0.0.1:9'], TIMES);
  await expect(gateways.height()).rejects.toThrow(
    /^http:\S+: The gateway answered 503 to GET \/info\. http:\/\/127\.0\.0\.1:9: The gateway cannot be reached/,
  );
});

test('posting and prices continue at the next gateway while the first is down', async () => {
  const { devnet, wallet: payer } = await sampleLedger(RELAYER_SEED);
  const gateways = createGateways(['http://127.0.0.1:9', devnet.url], TIMES);
  onTestFinished(() => expect(gateways.faults().map(({ gateway }) => gateway)).toEqual(['http://127.0.0.1:9']));
  const relayer = createForgingRelayer({ client: gateways, wallet: payer });
  const id = await relayer.post([relayer.write(relayer.create('zoe.bsp').draft)]);
  expect(await gateways.status(id)).toEqual({ state: 'pending' });
  await devnet.mine();
  expect(await gateways.status(id)).toMatchObject({ state: 'mined', confirmations: 1 });
});
