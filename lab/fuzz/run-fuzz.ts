import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { currentBuild, folderOf } from '../../server/launch/builds.mjs';
import { INSTITUTE_KEYS } from '../../server/platform/data-folder/key-files.ts';
import { newInstance, type Product } from '../../server/testing/test-product.ts';
import { createRandom, type Random } from '../chaos/random.ts';
import { isDatabaseLate, readMcp } from './check-response.ts';
import { createSender, NO_RESPONSE } from './fuzz-connection.ts';
import type { FuzzReport, Memory } from './fuzz-report.ts';
import type { FuzzRequest } from './fuzz-request.ts';
import { checkLedger } from './ledger-check.ts';
import { requestOf } from './mutate-request.ts';
import { type Pauses, watchPauses } from './pauses.ts';
import { CUT_OFF } from './response-reader.ts';
import { type Sources, sourcesOf, type Tool } from './sources.ts';
import { createTally, MAX_MS, type Tally } from './tally.ts';
import { planOf } from './wire.ts';
import { createSetUp, createWorld, type SetUp, type World } from './world.ts';

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** The number of the first request, to repeat a part of an earlier run. */
  readonly first?: number;
  /** The project folder, which must be built. */
  readonly root: string;
  readonly onProgress?: (line: string) => void;
  readonly isStopping?: () => boolean;
}

const CONNECTIONS = 48;
/** A world is replaced after this many requests: signed requests expire, and identities are destroyed. */
const WORLD_REQUESTS = 2_500;
/** Clients, in turn, so that no limit of an address is reached. */
const CLIENTS = 16_384;
/**
 * Caches and compiled code after the warm-up, the counters of the rate limits (at most 100,000), and the index of the
 * embedded devnet. What leaked with each request would be more after a million.
 */
const MAX_GROWTH_BYTES = 32 * 1024 * 1024;
/** The same, and what the allocators of V8 and C keep of the memory that peaks needed. */
const MAX_RESIDENT_GROWTH_BYTES = 96 * 1024 * 1024;
const WARM_UP = { share: 0.2, most: 100_000 };
const PROGRESS_MS = 10_000;

const SETTINGS = {
  // The harness is the proxy: each request has the address of another client.
  TRUST_PROXY: '1',
  MCP_TOOLS: 'requests',
  METRICS_PUBLIC: 'true',
  // Responses are read to their end.
  MAX_STREAM_MS: '100',
  // No budget refuses an operation, so that no 503 is expected.
  DAILY_BYTES: '1000000000000',
};

/** Sends generated and changed requests to every route of a service of its own, and checks every response. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { requests, seed, first = 0, root, onProgress = () => undefined, isStopping = () => false } = options;
  const probe = pathToFileURL(join(root, 'lab', 'fuzz', 'memory-probe.mjs')).href;
  const instance = await newInstance(SETTINGS, { root, nodeOptions: ['--expose-gc', `--import=${probe}`] });
  const begun = performance.now();
  try {
    const product = await instance.start();
    const pauses = await watchPauses(root, instance.dataDir, product.process.pid ?? 0);
    try {
      const instituteKeys = JSON.parse(readFileSync(join(instance.dataDir, INSTITUTE_KEYS), 'utf8')) as string[];
      const tools = await listTools(product.url);
      const sources = sourcesOf({ seed, instituteKeys, tools, pages: pagesOf(root) });
      const setUp = createSetUp(product.url, instituteKeys);
      const tally = createTally({ seed, paused: pauses.within, onFailure: onProgress });
      const run: Run = { product, sources, tally, seed, isStopping, worlds: await createWorlds(setUp, tally) };

      const warmUp = Math.min(Math.ceil(requests * WARM_UP.share), WARM_UP.most);
      const memory: Memory[] = [];
      const bounds = [0, 0.25, 0.5, 0.75, 1].map((share) => Math.ceil(warmUp + share * (requests - warmUp)));
      for (const [index, bound] of bounds.entries()) {
        await load(run, first + (bounds[index - 1] ?? 0), first + bound, onProgress);
        memory.push(await memoryOf(product, tally.sent()));
      }
      await repeatSlow(product, pauses, tally);
      await checkCutOff(product.url, tally);
      checkMemory(memory, tally);
      const entries = await checkLedger({ url: product.url, root, dataDir: instance.dataDir }, setUp, tally);
      checkLog(product, tally);
      const reached = new Set(Object.keys(tally.routes));
      return {
        seed,
        first,
        requests: tally.sent(),
        seconds: (performance.now() - begun) / 1000,
        statuses: tally.statuses,
        codes: tally.codes,
        routes: tally.routes,
        unreached: sources.routes.filter((route) => !reached.has(route)),
        slowest: tally.slowest(),
        slowOnce: tally.slow.length,
        longestPauseMs: pauses.longest(),
        memory,
        entries,
        failures: tally.failures(),
      };
    } finally {
      pauses.stop();
      await product.end('SIGTERM');
    }
  } finally {
    await instance.remove();
  }
}

interface Run {
  readonly product: Product;
  readonly sources: Sources;
  readonly tally: Tally;
  readonly seed: number;
  readonly worlds: Worlds;
  readonly isStopping: () => boolean;
}

/** Sends the requests with the numbers from `from` to below `to`. */
async function load(run: Run, from: number, to: number, onProgress: (line: string) => void): Promise<void> {
  const { product, tally, worlds, seed, isStopping } = run;
  let next = from;
  let reportedAt = performance.now();
  const isOver = () => next >= to || isStopping() || product.process.exitCode !== null;

  const worker = async () => {
    const sender = createSender(Number(new URL(product.url).port));
    while (!isOver()) {
      const index = next++;
      const random = createRandom(seed, index);
      const plan = planOf(() => draw(run, random, index), random);
      worlds.used(index);
      const received = await sender.send(plan).catch((error: Error) => ({
        responses: [],
        sentAt: 0,
        receivedAt: 0,
        problem: error.message,
      }));
      tally.add(index, plan, received);
      if (performance.now() - reportedAt > PROGRESS_MS) {
        reportedAt = performance.now();
        onProgress(`${tally.sent()} requests, ${tally.failures().length} kinds of failures`);
      }
    }
    sender.close();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  await worlds.settled();
  if (product.process.exitCode !== null) throw new Error(`The service ended:\n${product.output().slice(-5_000)}`);
}

/**
 * A slow response may be due to what else the machine did. A request that is slow because of what it asks for is slow
 * again when it is repeated alone.
 */
async function repeatSlow(product: Product, pauses: Pauses, tally: Tally): Promise<void> {
  const sender = createSender(Number(new URL(product.url).port));
  for (const { plan, route, index } of [...tally.slow]) {
    const received = await sender.send(plan);
    // A write may be accepted now.
    tally.add(index, plan, received);
    const { sentAt, receivedAt, responses, problem } = received;
    const ownMs = receivedAt - sentAt - pauses.within(sentAt, receivedAt);
    if (ownMs > MAX_MS || problem === NO_RESPONSE || responses.some(isDatabaseLate))
      tally.fail(`a response took ${Math.round(ownMs)} ms`, { route, index, plan });
  }
  sender.close();
}

/** The response to an export ends early if its holder is destroyed meanwhile: it must not look complete. */
async function checkCutOff(url: string, tally: Tally): Promise<void> {
  for (const at of tally.cutOff) {
    const [, holder = ''] = /"targetBeo":"([^"]+)"/.exec(Buffer.concat(at.plan.pieces).toString()) ?? [];
    const response = await fetch(`${url}/api/beos/${encodeURIComponent(holder)}`);
    const { beo } = (await response.json()) as { beo?: { status: string } };
    if (beo?.status !== 'DESTROYED') tally.fail(CUT_OFF, at);
  }
}

function draw({ sources, worlds }: Run, random: Random, index: number): FuzzRequest {
  // Each once at first, so that a short run reaches every route, too.
  const source = sources.kinds.flatMap((kind) => kind.sources)[index] ?? random.pick(kindOf(sources, random));
  const template = source.draw(random, worlds.pick(random));
  const client = (index * 7 + random.whole(0, 3)) % CLIENTS;
  const headers = [
    ['host', 'localhost'],
    ['x-forwarded-for', `10.0.${client >> 8}.${client & 255}`],
    ...template.headers,
  ] as const;
  return requestOf({ ...template, headers }, random);
}

function kindOf({ kinds }: Sources, random: Random): Sources['kinds'][number]['sources'] {
  let left = random.whole(1, 1_000);
  const chosen = kinds.find(({ share }) => {
    left -= share;
    return left <= 0;
  });
  return (chosen ?? kinds[0])?.sources ?? [];
}

interface Worlds {
  pick(random: Random): World;
  /** Replaces the world if a request with this number is due to a new one. */
  used(index: number): void;
  settled(): Promise<void>;
}

async function createWorlds({ api }: SetUp, tally: Tally): Promise<Worlds> {
  let worlds = [await createWorld(api)];
  let creating: Promise<void> = Promise.resolve();
  return {
    pick: (random) => (worlds.length > 1 && random.chance(0.2) ? worlds[1] : worlds[0]) as World,
    used(index) {
      if (index === 0 || index % WORLD_REQUESTS !== 0) return;
      creating = creating
        .then(() => createWorld(api))
        .then(
          (world) => {
            worlds = [world, ...worlds.slice(0, 1)];
          },
          (error: Error) => tally.fail(`a valid request was refused: ${error.message}`, { route: 'set-up', index }),
        );
    },
    settled: () => creating,
  };
}

async function memoryOf({ process: service }: Product, atRequest: number): Promise<Memory> {
  await sleep(500);
  const reported = once(service, 'message');
  service.send('memory');
  const [{ heapUsed, external, rss }] = (await reported) as [NodeJS.MemoryUsage];
  return { atRequest, used: heapUsed + external, resident: rss };
}

function checkMemory(memory: readonly Memory[], tally: Tally): void {
  const [before, after] = [memory[0], memory.at(-1)];
  if (!before || !after) return;
  const at = { route: 'memory', index: after.atRequest };
  const grown = after.used - before.used;
  if (grown > MAX_GROWTH_BYTES) tally.fail(`the memory in use grew by ${Math.round(grown / 1e6)} MB`, at);
  const residentGrown = after.resident - before.resident;
  if (residentGrown > MAX_RESIDENT_GROWTH_BYTES)
    tally.fail(`the resident memory grew by ${Math.round(residentGrown / 1e6)} MB`, at);
}

const PINO_ERROR = 50;

/** An error that no response shows is in the log. */
function checkLog({ output }: Product, tally: Tally): void {
  for (const line of output().split('\n')) {
    const level = line.startsWith('{') ? (JSON.parse(line) as { level: number }).level : 0;
    const isError = level >= PINO_ERROR || /^\s*(Error|Uncaught|TypeError)/.test(line);
    if (isError) tally.fail(`the log has an error: ${line.slice(0, 1_500)}`, { route: 'log', index: 0 });
  }
}

async function listTools(url: string): Promise<readonly Tool[]> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const { result } = readMcp(await response.text()) as { result: { tools: Tool[] } };
  return result.tools;
}

/** The paths of the built pages. */
function pagesOf(root: string): readonly string[] {
  const builds = join(root, '.build');
  const pages = folderOf(builds, 'pages', currentBuild(builds) ?? '');
  const file = join(pages, 'app-path-routes-manifest.json');
  if (!existsSync(file)) return [];
  const paths = Object.values(JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>);
  return paths.filter((path) => !path.startsWith('/_') && !path.startsWith('/api'));
}
