import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  type BadGateway,
  badGateway,
  changingData,
  edge,
  listing,
  packed,
  page,
  sampleLedger,
} from '../auditor/audit/test-bad-gateway.ts';
import { bundleTags, createForgingRelayer, openDraft } from '../auditor/audit/test-relayer.ts';
import { builtCommands } from '../auditor/audit/test-worker.ts';
import { clientOf } from '../server/network/devnet/test-devnet.ts';
import { testWallet } from '../server/network/test-wallet.ts';
import { loadWallet, signTransaction } from '../server/network/wallet.ts';
import { freshDatabase } from '../server/platform/db/test-database.ts';

let commands: Awaited<ReturnType<typeof builtCommands>>;
beforeAll(async () => {
  commands = await builtCommands();
});
afterAll(() => commands.remove());

const RELAYER_SEED = randomBytes(32);

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

/** Restores into a database of its own. */
async function restoreFrom({ url }: { url: string }, ...more: string[]): Promise<Outcome> {
  const dataDir = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-`));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  writeFileSync(join(dataDir, 'relayer.key'), RELAYER_SEED.toString('hex'), { mode: 0o600 });
  const { url: databaseUrl, drop } = await freshDatabase();
  onTestFinished(drop);
  const env = { DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
  return run('restore', ['--gateway', url, '--wallet', await address(), ...more], env);
}

/** Characters that affect a terminal or a reader of the report, except line feeds. */
const UNPRINTABLE = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u;

function expectUndecided({ status, text }: Outcome, sentence: string | RegExp): void {
  expect(text).toMatch(/^It could not be done: [^\n]+\n$/);
  expect(text).toMatch(sentence);
  expect(text).not.toMatch(UNPRINTABLE);
  expect(status).toBe(2);
}

/** Neither command can decide, and both report why. */
async function expectBothUndecided(gateway: BadGateway, sentence: string | RegExp, ...more: string[]): Promise<void> {
  const outcomes = await Promise.all([verifyAt(gateway, ...more), restoreFrom(gateway, ...more)]);
  for (const outcome of outcomes) expectUndecided(outcome, sentence);
}

const EVIL = 'lock\u001b[2J\u009b31m\u202e\u2066\nNo breach was found.\n\u2028\u200b';

// auditor/audit/bad-gateway.long.test.ts tests how a gateway can misbehave. These are spot checks of what the commands add.
describe('verify and restore report in one sentence, with exit status 2,', () => {
  test('that the list of transactions repeats', async () => {
    const edges = Array.from({ length: 100 }, (_, number) => edge(number));
    await expectBothUndecided(await badGateway(listing(() => page(edges))), 'lists the same transactions');
  });

  test('that the list of transactions is longer than --most-bundles allows', async () => {
    const endless = await badGateway(
      listing((cursor) => {
        const from = cursor === null ? 0 : Number(cursor.split(' ')[1]) + 1;
        return page(Array.from({ length: 100 }, (_, number) => edge(from + number)));
      }),
    );
    const sentence = /lists more than 5000 transactions of wallet [\w-]{43}; --most-bundles allows more\./;
    await expectBothUndecided(endless, sentence, '--most-bundles', '5000');
    expect(endless.asked.filter((path) => path === '/graphql').length).toBeLessThan(150);
  });

  test('that the gateway serves wrong data', async () => {
    const { devnet } = await sampleLedger(RELAYER_SEED);
    const wrong = changingData(devnet.url, () => Buffer.from('x'));
    await expectBothUndecided(await badGateway(wrong, devnet.url), 'that are not its data');
  });

  test('the escaped response of a gateway that refuses', async () => {
    const refusing = await badGateway((_, response) => Boolean(response.writeHead(400).end(EVIL)));
    await expectBothUndecided(refusing, 'The gateway answered 400');
  });
});

describe('verify', () => {
  test('reports a service with an invalid ledger id without repeating the id', async () => {
    const service = await badGateway((_, response) => Boolean(response.end(JSON.stringify({ ledger_id: EVIL }))));
    expectUndecided(await run('verify', ['--api', service.url]), 'does not follow protocol §4');
  });

  test('escapes what others wrote to the ledger', async () => {
    const { devnet, relayer, person, beoId } = await sampleLedger(RELAYER_SEED);
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

  test('needs less than 700 MB for 14 bundles of 60 MiB', async () => {
    const { devnet, wallet } = await sampleLedger(RELAYER_SEED);
    // The wallet itself has posted them: the list, the transactions and the bytes are genuine.
    const data = Buffer.alloc(60 * 1024 * 1024);
    const anchor = await clientOf(devnet).anchor();
    const numbers = Array.from({ length: 14 }, (_, number) => number + 10);
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
    expect([status, text]).toEqual([1, expect.stringContaining('14  BUNDLE_UNREADABLE')]);
    expect(peak).toBeLessThan(700);
  });

  test('needs less than 700 MB for compressed data that is too large', async () => {
    const { devnet } = await sampleLedger(RELAYER_SEED);
    const outcome = await verifyAt(await badGateway(packed, devnet.url));
    expectUndecided(outcome, 'is larger than 67108864 bytes');
    expect(outcome.peak).toBeLessThan(700);
  });
});
