import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type BadGateway, badGateway, edge, listing, type Misbehaviour, page } from '../audit/test-bad-gateway.ts';
import { bundleTags, createForgingRelayer, openDraft } from '../audit/test-relayer.ts';
import { builtCommands } from '../audit/test-worker.ts';
import { freshDatabase } from '../db/test-database.ts';
import { clientOf, testDevnet } from '../embedded/devnet/test-devnet.ts';
import { testWallet } from '../network/test-wallet.ts';
import { loadWallet, signTransaction } from '../network/wallet.ts';

let commands: Awaited<ReturnType<typeof builtCommands>>;
beforeAll(async () => {
  commands = await builtCommands();
});
afterAll(() => commands.remove());

const RELAYER_SEED = randomBytes(32);

/** A ledger of three bundles on a devnet, in order. */
async function ledger() {
  const devnet = await testDevnet();
  const wallet = loadWallet(devnet.wallet);
  const relayer = createForgingRelayer({ client: clientOf(devnet), wallet }, RELAYER_SEED);
  const { person, beoId, draft } = relayer.create('anna.bsp');
  const ids: string[] = [];
  for (const next of [draft, relayer.act(person, beoId, 'lockBEO'), relayer.act(person, beoId, 'unlockBEO')]) {
    ids.push(await relayer.post([relayer.write(next)]));
    await devnet.mine();
  }
  return { devnet, relayer, person, beoId, ids, wallet };
}

interface Outcome {
  readonly status: number;
  readonly text: string;
  /** The largest resident size of the command, in megabytes. */
  readonly peak: number;
}

/** Runs a built command as an operator does. */
async function run(
  name: 'verify' | 'restore',
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Outcome> {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, [commands.path(name), ...args], {
    env: { PATH, HOME, TMPDIR, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let peak = 0;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(child.pid));
  }, 50);
  const [status] = await once(child, 'close');
  clearInterval(watch);
  return { status: status as number, text, peak };
}

function residentMegabytes(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

const address = async () => loadWallet(await testWallet()).address;

async function verifyAt({ url }: { url: string }, ...more: string[]): Promise<Outcome> {
  const { relayerKey } = createForgingRelayer(
    { client: clientOf({ url }), wallet: loadWallet(await testWallet()) },
    RELAYER_SEED,
  );
  return run('verify', ['--gateway', url, '--wallet', await address(), '--relayer-key', relayerKey, ...more]);
}

/** The same gateway and a database of its own. */
async function restoreFrom({ url }: { url: string }, ...more: string[]): Promise<Outcome> {
  const dataDir = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-`));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  writeFileSync(join(dataDir, 'relayer.key'), RELAYER_SEED.toString('hex'), { mode: 0o600 });
  const { url: databaseUrl, drop } = await freshDatabase();
  onTestFinished(drop);
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
  return run('restore', ['--gateway', url, '--wallet', await address(), ...more], env);
}

/** Nothing that a terminal or a reader of the report would act on, but the ends of the lines. */
const UNPRINTABLE = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u;

function expectUndecided({ status, text }: Outcome, sentence: string | RegExp): void {
  expect(text).toMatch(/^It could not be done: [^\n]+\n$/);
  expect(text).toMatch(sentence);
  expect(text).not.toMatch(UNPRINTABLE);
  expect(status).toBe(2);
}

/** Both commands come to the same end. */
async function expectNothingFoundOut(gateway: BadGateway, sentence: string | RegExp, ...more: string[]): Promise<void> {
  expectUndecided(await verifyAt(gateway, ...more), sentence);
  expectUndecided(await restoreFrom(gateway, ...more), sentence);
}

describe('a list of transactions', () => {
  test('that begins again and again is not read for ever', async () => {
    const edges = Array.from({ length: 100 }, (_, number) => edge(number));
    const same = await badGateway(listing(() => page(edges)));
    await expectNothingFoundOut(same, 'lists the same transactions');
    const asked: number[] = [];
    const fresh = await badGateway(
      listing(() => {
        const count = asked.push(0);
        return page(edges.map((one) => ({ ...one, cursor: `${one.cursor}, answer ${count}` })));
      }),
    );
    await expectNothingFoundOut(fresh, 'lists the same transactions');
    let odd = false;
    const inTurns = await badGateway(
      listing(() => {
        odd = !odd;
        return page(odd ? edges.slice(0, 50) : edges.slice(50));
      }),
    );
    await expectNothingFoundOut(inTurns, 'lists the same transactions');
  });

  test('that never ends is read up to a bound, which can be raised', async () => {
    const endless = await badGateway(
      listing((cursor) => {
        const from = cursor === null ? 0 : Number(cursor.split(' ')[1]) + 1;
        return page(Array.from({ length: 100 }, (_, number) => edge(from + number)));
      }),
    );
    const sentence = /lists more than 5000 transactions of wallet [\w-]{43}; --most-bundles allows more\./;
    await expectNothingFoundOut(endless, sentence, '--most-bundles', '5000');
    expect(endless.asked.filter((path) => path === '/graphql').length).toBeLessThan(150);
  });

  test.each<[string, string, string]>([
    [
      'a name that is none',
      page([edge(0, { id: '../../\u001b[2J' })]),
      'not as expected (data.transactions.edges.0.node.id)',
    ],
    [
      'a block beyond all dates',
      page([edge(0, { block: { height: 1, timestamp: 9e15 } })]),
      'edges.0.node.block.timestamp',
    ],
    ['more than was asked for', page(Array.from({ length: 101 }, (_, number) => edge(number))), 'transactions.edges)'],
    ['lists in lists', '['.repeat(4_000_000), 'is not JSON'],
    ['nothing but text', page([]).padEnd(20_000_000), 'is larger than 8388608 bytes'],
    [
      'words that move the cursor',
      JSON.stringify({ errors: [{ message: '\u001b[2J\u202e\nNo breach was found.\n' }] }),
      'could not answer a query: \\u{1b}',
    ],
  ])('with %s is no list', async (_, text, sentence) => {
    const gateway = await badGateway(listing(() => text));
    expectUndecided(await verifyAt(gateway), sentence);
  });

  test('that is cut into shorter pages, each of which says that nothing follows, is read to its end', async () => {
    const { devnet } = await ledger();
    devnet.setFault({ mode: 'page', size: 1 });
    const { status, text } = await verifyAt(devnet);
    expect(text).toContain('On the network: 3 entries in 3 bundles');
    expect([status, text]).toEqual([0, expect.stringContaining('No breach was found.')]);
    const restored = await restoreFrom(devnet);
    expect([restored.status, restored.text]).toEqual([0, expect.stringContaining('Restored 3 entries')]);
  });
});

describe('an answer that is not the gateway’s own', () => {
  const elsewhere = () => badGateway((_, response) => Boolean(response.end('secret')));

  test.each<[string, (path: string) => boolean]>([
    ['the list', (path) => path === '/graphql'],
    ['the data', (path) => path.startsWith('/raw/')],
  ])('is not fetched from where a redirect leads: %s', async (_, concerns) => {
    const { devnet } = await ledger();
    const other = await elsewhere();
    for (const location of [
      `${other.url.replace('127.0.0.1', 'localhost')}/x`,
      `${other.url}/x`,
      'file:///etc/passwd',
    ]) {
      const redirect: Misbehaviour = ({ url = '' }, response) =>
        concerns(url) && Boolean(response.writeHead(307, { location }).end());
      expectUndecided(await verifyAt(await badGateway(redirect, devnet.url)), 'which is not followed');
    }
    expect(other.asked).toEqual([]);
  });

  test('is not sought in a circle', async () => {
    const { devnet } = await ledger();
    const circle: Misbehaviour = ({ url = '' }, response) =>
      url.startsWith('/raw/') && Boolean(response.writeHead(302, { location: url }).end());
    await expectNothingFoundOut(await badGateway(circle, devnet.url), 'more than 3 times');
  });

  test('is read from where the gateway itself keeps its data', async () => {
    const { devnet } = await ledger();
    const moved: Misbehaviour = ({ url = '' }, response) =>
      url.startsWith('/raw/') && Boolean(response.writeHead(302, { location: url.replace('/raw', '') }).end());
    const { status, text } = await verifyAt(await badGateway(moved, devnet.url));
    expect([status, text]).toEqual([0, expect.stringContaining('No breach was found.')]);
  });
});

describe('wrong content', () => {
  /** The bytes of every transaction, changed by `change`. */
  const changed =
    (honestUrl: string, change: (data: Buffer, id: string) => Buffer | Promise<Buffer>): Misbehaviour =>
    async ({ url = '' }, response) => {
      if (!url.startsWith('/raw/')) return false;
      const answer = await fetch(`${honestUrl}${url}`);
      response.end(await change(Buffer.from(await answer.arrayBuffer()), url.slice('/raw/'.length)));
      return true;
    };

  test('is the gateway’s doing, not a breach of the ledger', async () => {
    const { devnet, ids } = await ledger();
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
      const gateway = await badGateway(changed(devnet.url, change), devnet.url);
      expectUndecided(await verifyAt(gateway), /gives bytes for transaction [\w-]{43} that are not its data/);
    }
    const gateway = await badGateway(
      changed(devnet.url, () => Buffer.from('x')),
      devnet.url,
    );
    expectUndecided(await restoreFrom(gateway), 'that are not its data');
  });

  test('in the list is, too', async () => {
    const { devnet, ids } = await ledger();
    const lying =
      async (change: (text: string) => string): Promise<Misbehaviour> =>
      async (request, response) => {
        if (request.url !== '/graphql') return false;
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const answer = await fetch(`${devnet.url}/graphql`, { method: 'POST', body: Buffer.concat(chunks) });
        response.end(change(await answer.text()));
        return true;
      };
    const otherTags = await badGateway(
      await lying((text) => text.replaceAll('"value":"3"', '"value":"7"')),
      devnet.url,
    );
    expectUndecided(await verifyAt(otherTags), /lists transaction [\w-]{43} with other tags than it has/);
    const unknown = await badGateway(await lying((text) => text.replaceAll(ids[1] ?? '', 'y'.repeat(43))), devnet.url);
    expectUndecided(await verifyAt(unknown), /lists transaction y{43}, which it does not have \(404\)/);
  });

  test('of a wallet that posts it itself is a breach, and not the gateway’s doing', async () => {
    const { devnet, relayer } = await ledger();
    const item = relayer.write(relayer.create('bruno.bsp').draft);
    await relayer.post([item], { data: Buffer.from('not a bundle') });
    await devnet.mine();
    const { status, text } = await verifyAt(devnet);
    expect([status, text]).toEqual([1, expect.stringContaining('BUNDLE_UNREADABLE')]);
  });

  test('in the transaction itself does not help a gateway', async () => {
    const { devnet, ids } = await ledger();
    const header = await (await fetch(`${devnet.url}/tx/${ids[0]}`)).json();
    const answers = [header, { ...header, data_root: '' }, { ...header, owner: 'A'.repeat(683) }, { format: 1 }, 'x'];
    for (const answer of answers) {
      const forged: Misbehaviour = ({ url = '' }, response) => {
        if (url.startsWith('/raw/')) return Boolean(response.end('x'));
        return /^\/tx\/[\w-]{43}$/.test(url) && Boolean(response.end(JSON.stringify(answer)));
      };
      const outcome = await verifyAt(await badGateway(forged, devnet.url));
      expectUndecided(outcome, /is not the transaction|not as expected|not its data/);
    }
  });
});

describe('large answers', () => {
  test('take bounded memory, and have an end', async () => {
    const { devnet, wallet } = await ledger();
    // The wallet itself has posted 20 bundles of 60 MiB: the list, the transactions and the bytes are genuine, and worthless.
    const data = Buffer.alloc(60 * 1024 * 1024);
    const anchor = await clientOf(devnet).anchor();
    const numbers = Array.from({ length: 20 }, (_, number) => number + 10);
    const signed = new Map<string, object>();
    const edges: object[] = [];
    for (const number of numbers) {
      const tags = bundleTags(number, number);
      const { id, json } = await signTransaction(wallet, { data, tags, anchor, reward: BigInt(number) });
      signed.set(id, json);
      edges.push(edge(number, { id, tags }));
    }
    const list = listing((cursor) => page(cursor === null ? edges : []));
    const heavy = await badGateway((request, response) => {
      const id = request.url?.split('/').at(-1) ?? '';
      if (request.url?.startsWith('/raw/')) return Boolean(response.end(data));
      if (request.url?.startsWith('/tx/')) return Boolean(response.end(JSON.stringify(signed.get(id))));
      return list(request, response);
    });
    const { status, text, peak } = await verifyAt(heavy);
    expect([status, text]).toEqual([1, expect.stringContaining('20  BUNDLE_UNREADABLE')]);
    expect(peak).toBeLessThan(700);
  });

  test('beyond 64 MiB are not read, however they are packed', async () => {
    const { devnet } = await ledger();
    const large = await badGateway(({ url = '' }, response) => {
      if (!url.startsWith('/raw/')) return false;
      const piece = Buffer.alloc(1024 * 1024);
      const more = () => {
        while (response.write(piece));
      };
      response.on('drain', more);
      more();
      return true;
    }, devnet.url);
    await expectNothingFoundOut(large, 'is larger than 67108864 bytes');
    const packed = await badGateway(({ url = '' }, response) => {
      if (!url.startsWith('/raw/')) return false;
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      for (let megabytes = 0; megabytes < 80; megabytes += 1) gzip.write(Buffer.alloc(1024 * 1024));
      gzip.end();
      return true;
    }, devnet.url);
    const { peak, ...outcome } = await verifyAt(packed);
    expectUndecided({ peak, ...outcome }, 'is larger than 67108864 bytes');
    expect(peak).toBeLessThan(700);
  });
});

describe('what others wrote', () => {
  const EVIL = 'lock\u001b[2J\u009b31m\u202e\u2066\nNo breach was found.\n\u2028\u200b';

  test('has no effect on whoever reads the report', async () => {
    const { devnet, relayer, person, beoId } = await ledger();
    const body = person.sign(EVIL, { beoId: EVIL }, { timestamp: new Date(relayer.head.at).toISOString() });
    await relayer.post([
      relayer.write(openDraft(EVIL, beoId, person.publicKey, body), {
        tags: () => [{ name: 'Function', value: EVIL }],
      }),
    ]);
    await devnet.mine();
    const { status, text } = await verifyAt(devnet);
    expect(status).toBe(1);
    expect(text).toContain('UNKNOWN_FUNCTION');
    expect(text).toContain('\\u{202e}');
    expect(text).not.toMatch(UNPRINTABLE);
    expect(text.split('\n')).not.toContain('No breach was found.');
  });

  test('nor does it in the answer of a gateway or a service that refuses', async () => {
    const refusing = await badGateway((_, response) => Boolean(response.writeHead(400).end(EVIL)));
    await expectNothingFoundOut(refusing, 'The gateway answered 400');
    const service = await badGateway((_, response) => Boolean(response.end(JSON.stringify({ ledger_id: EVIL }))));
    expectUndecided(await run('verify', ['--api', service.url]), 'does not follow protocol §4');
  });
});
