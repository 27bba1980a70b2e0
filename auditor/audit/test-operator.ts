import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { type AnyOperation, OPERATIONS } from '../../protocol/operations.ts';
import type { Json } from '../../protocol/signing/canonical-json.ts';
import { readConfig } from '../../server/config.ts';
import { type Devnet, startDevnet } from '../../server/network/devnet/devnet.ts';
import { testWallet } from '../../server/network/test-wallet.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { writeRunningFile } from '../../server/platform/data-folder/running-file.ts';
import { migratedDatabase } from '../../server/platform/db/test-database.ts';
import { type Service, startService } from '../../server/processes/service.ts';
import { freshDomain, newPerson, type Person, WAIT_MS } from '../../server/testing/test-service.ts';
import { type Accepted, accept, type RequestOrigin } from '../../server/write/accept.ts';
import type { Link } from '../../server/write/services.ts';
import type { Verdict } from './report.ts';
import { builtWorker, type WorkerName } from './test-worker.ts';
import type { CommandParts } from './verify.ts';

/** A deployment: a data directory with keys and a devnet, which outlives its databases and services. */
export interface TestOperator {
  readonly dataDir: string;
  readonly devnet: Devnet;
  /** A new database, migrated unless `create` is another function. */
  database(create?: typeof migratedDatabase): Promise<string>;
  /**
   * Starts a service on a database until the end of the test. With `hold`, entries are never posted. It uses the devnet unless
   * `gatewayUrl` is set.
   */
  serve(
    databaseUrl: string,
    options?: { hold?: boolean; settings?: Record<string, string>; gatewayUrl?: string },
  ): Promise<Service>;
  readonly settle: typeof settle;
  /** Runs a command next to the running devnet; `lines` collects its output. */
  run(
    command: (parts: CommandParts) => Promise<Verdict>,
    databaseUrl: string,
    lines?: string[],
  ): Promise<{ isClean: boolean; verdict: Verdict; text: string }>;
}

const NEVER_MS = '2000000000';

export async function testOperator({
  blockMs = 50,
  worker = 'check.worker',
  files = {},
}: {
  blockMs?: number;
  worker?: WorkerName;
  /** The initial files of the data directory: paths with contents in base64. */
  files?: Readonly<Record<string, string>>;
} = {}): Promise<TestOperator> {
  const dataDir = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-`));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true });
    writeFileSync(join(dataDir, path), Buffer.from(content, 'base64'), { mode: 0o600 });
  }
  const log = pino({ level: 'silent' });
  const stored = files['devnet/wallet.json'];
  const wallet = stored ? JSON.parse(Buffer.from(stored, 'base64').toString()) : await testWallet();
  const devnet = await startDevnet({ directory: join(dataDir, 'devnet'), blockMs, log, wallet });
  writeRunningFile(dataDir, { pid: process.pid, gateway_url: devnet.url, database_url: '' });
  onTestFinished(async () => {
    await devnet.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const env = (databaseUrl: string, hold = false) => ({
    RATE_LIMIT: 'off',
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    BUNDLE_MAX_AGE_MS: hold ? NEVER_MS : '50',
  });

  return {
    dataDir,
    devnet,
    async database(create = migratedDatabase) {
      const { url, drop } = await create();
      onTestFinished(drop);
      return url;
    },
    async serve(databaseUrl, { hold = false, settings = {}, gatewayUrl = devnet.url } = {}) {
      const config = readConfig({ ...env(databaseUrl, hold), ...settings });
      const gateway = { urls: [gatewayUrl], kind: 'devnet' as const, wallet: loadWallet(devnet.wallet) };
      const service = await startService({
        config,
        log,
        databaseUrl,
        gateway,
        publicUrl: () => 'http://localhost',
        databaseWaitMs: WAIT_MS,
      });
      let stopping: Promise<void> | undefined;
      const stop = () => {
        stopping ??= service.stop();
        return stopping;
      };
      onTestFinished(stop);
      return { context: service.context, stop };
    },
    settle,
    async run(command, databaseUrl, lines = []) {
      const { result: verdict, text } = await runHere(command, env(databaseUrl), { worker, lines });
      return { isClean: verdict === 'clean', verdict, text };
    },
  };
}

/** Runs a command in this process; returns what it printed. */
export async function runHere<Result>(
  command: (parts: CommandParts) => Promise<Result>,
  env: Record<string, string>,
  { worker = 'check.worker', lines = [] }: { worker?: WorkerName; lines?: string[] } = {},
): Promise<{ result: Result; text: string }> {
  const steps: (() => Promise<unknown>)[] = [];
  try {
    const result = await command({
      env,
      progress: { at: () => undefined, end: () => undefined },
      print: (line) => lines.push(line),
      note: (line) => lines.push(line),
      addStep: (_, step) => steps.push(step),
      workerFile: await builtWorker(worker),
    });
    return { result, text: lines.join('\n') };
  } finally {
    for (const step of steps.reverse()) await step();
  }
}

/** Waits until all accepted entries are mined. */
export async function settle(databaseUrl: string): Promise<void> {
  while ((await waiting(databaseUrl)) > 0) await sleep(25);
}

/** The number of entries that are not mined yet. */
async function waiting(databaseUrl: string): Promise<number> {
  const [row] = await query<{ waiting: number }>(
    databaseUrl,
    `SELECT (h.seq - coalesce((SELECT max(last_seq) FROM bundles WHERE status IN ('CONFIRMED', 'FINAL')), 0))::int
       + (SELECT count(*) FROM bundles WHERE status NOT IN ('CONFIRMED', 'FINAL'))::int AS waiting FROM ledger_head h`,
  );
  return row?.waiting ?? 0;
}

export async function query<Row>(databaseUrl: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(text, values);
    return rows;
  } finally {
    await client.end();
  }
}

export function operationNamed(name: string): AnyOperation {
  const operation = OPERATIONS.find((row) => row.name === name);
  if (!operation) throw new Error(`Unknown operation ${name}.`);
  return operation;
}

/** The origin of a request without HTTP. */
export const DIRECT: RequestOrigin = {
  approver: null,
  charge: async () => null,
  link: null,
  language: 'en',
  address: null,
  requestId: 'test',
};

/** Sends one signed operation through the write pipeline, without HTTP. */
export function act({ context }: Service, person: Person, name: string, fields: Record<string, Json>, at?: string) {
  const operation = operationNamed(name);
  const body = person.sign(operation.function, fields, at === undefined ? {} : { timestamp: at });
  return accept(context, operation, body, DIRECT);
}

/** The same for an operation through a link. */
export function follow(
  { context }: Service,
  person: Person,
  name: string,
  fields: Record<string, Json>,
  link: Link,
): Promise<Accepted> {
  const operation = operationNamed(name);
  return accept(context, operation, person.sign(operation.function, fields), { ...DIRECT, link });
}

export interface Holder {
  readonly person: Person;
  readonly beoId: string;
  readonly domain: string;
  readonly answer: Accepted;
}

export const guardians = [
  { name: 'Grete', contact: 'grete@example.org', role: 'primary' },
  { name: 'Horst', contact: 'horst@example.org', role: 'secondary' },
];

export async function newHolder(service: Service, { sealed = false, domain = freshDomain() } = {}): Promise<Holder> {
  const person = newPerson();
  const recovery = sealed ? { guardians } : null;
  const answer = await act(service, person, 'createBEO', { domain, publicKey: person.publicKey, recovery });
  return { person, beoId: answer.body.beo_id as string, domain, answer };
}

/** Creates identities and applies every operation on them; returns those that are not destroyed. */
export async function createIdentities(service: Service, count: number): Promise<Holder[]> {
  const holders = await Promise.all(
    Array.from({ length: count }, (_, n) => newHolder(service, { sealed: n % 7 === 3 })),
  );
  const live = await Promise.all(
    holders.map(async (holder, n): Promise<Holder | null> => {
      const { beoId, person, domain } = holder;
      if (n % 3 === 0) await act(service, person, 'lockBEO', { beoId: domain });
      if (n % 6 === 0) await act(service, person, 'unlockBEO', { beoId: holder.answer.transactionId });
      if (n % 5 === 0) {
        await act(service, person, 'destroyBEO', { beoId });
        return null;
      }
      if (n % 4 !== 0) return holder;
      const next = newPerson();
      await act(service, person, 'rotateBEOKey', { beoId, newPublicKey: next.publicKey });
      return { ...holder, person: next };
    }),
  );
  return live.flatMap((holder) => holder ?? []);
}
