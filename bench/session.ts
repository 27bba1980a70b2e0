import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../server/embedded/postgres/embedded-postgres.ts';
import { createDatabase } from './bare/bare-database.ts';
import type { BareReady } from './bare/serve-bare.ts';
import { type Child, startChild } from './child.ts';
import { untilPosted } from './ledger-facts.ts';
import type { LoadResult } from './load/load.ts';
import type { LoadJob, LoadReply } from './load/load.worker.ts';
import { processorTime } from './process-facts.ts';
import { type ServerUnderTest, startServer } from './server-under-test.ts';
import type { Settings } from './settings.ts';

/** A process that a load can be sent to. */
export interface LoadTarget {
  readonly pid: number;
  readonly port: number;
}

export interface Measured extends LoadResult {
  readonly perSecond: number;
  /** Milliseconds of processor time the process used for one request; null where the system does not tell. */
  readonly processorMs: number | null;
}

export interface BareLoop extends LoadTarget {
  readonly databaseUrl: string;
  stop(): Promise<void>;
}

/** What the scenarios of one bench share: the server under test, the load generator, the bare loops' database. */
export interface Session {
  readonly settings: Settings;
  readonly folder: string;
  readonly dataDir: string;
  readonly server: () => ServerUnderTest;
  /** Identities that the server holds; numbered from 0 (see domainOf). */
  readonly identities: () => number;
  /** Starts a second server on data of its own, to be compared with the first. */
  startAnother(name: string): Promise<ServerUnderTest>;
  /** Stops the server and starts it again on the same data. */
  restart(): Promise<ServerUnderTest>;
  measure(target: LoadTarget, job: Pick<LoadJob, 'workload'> & Partial<LoadJob>): Promise<Measured>;
  /** Measures the creation of the next `count` identities, and waits until they are posted. */
  create(count: number, job?: Partial<LoadJob>): Promise<Measured>;
  /** Creates identities, unmeasured, until there are so many. */
  grow(population: number): Promise<void>;
  newDatabase(): Promise<string>;
  startBare(
    name: 'bare-create' | 'bare-read' | 'bare-submit',
    prepare: (databaseUrl: string) => Promise<void>,
  ): Promise<BareLoop>;
  /** Aborted when the bench is stopped early. */
  readonly stopping: AbortSignal;
  say(line: string): void;
}

const MAX_LOAD_SECONDS = 120;
const MAX_POSTING_SECONDS = 120;
const SLICE = 20_000;

export interface SessionParts {
  readonly settings: Settings;
  readonly folder: string;
  /** Registers what must be stopped at the end, in the opposite order. */
  readonly addStep: (name: string, step: () => Promise<unknown>) => void;
  readonly say: (line: string) => void;
  readonly stopping: AbortSignal;
}

export async function startSession({ settings, folder, addStep, say, stopping }: SessionParts): Promise<Session> {
  const generator = startChild('load');
  addStep('the load generator', generator.stop);
  const dataDir = join(folder, 'server');
  let stopServer = async () => {};
  addStep('the server under test', () => stopServer());
  const start = () =>
    startServer(dataDir, {
      profileFolder: settings.profileFolder,
      onSpawned: (stop) => {
        stopServer = stop;
      },
    });
  let server = await start();
  let identities = 0;
  let postgres: EmbeddedPostgres | undefined;

  async function newDatabase(): Promise<string> {
    if (!postgres) {
      const started = await startEmbeddedPostgres({ dataDir: join(folder, 'bare'), log: () => undefined });
      addStep('the database of the bare loops', started.stop);
      postgres = started;
    }
    return createDatabase(postgres.url);
  }

  async function measure(target: LoadTarget, job: Parameters<Session['measure']>[1]): Promise<Measured> {
    const whole = { perSecond: null, connections: settings.connections, maxSeconds: MAX_LOAD_SECONDS, ...job };
    const before = await processorTime(target.pid);
    const reply = await generator.receive<LoadReply>({ ...whole, port: target.port } satisfies LoadJob);
    if ('problem' in reply) throw new Error(reply.problem);
    const after = await processorTime(target.pid);
    const { result } = reply;
    return {
      ...result,
      perSecond: result.requests / result.seconds,
      processorMs: before === null || after === null ? null : (after - before) / result.requests,
    };
  }

  async function create(count: number, job: Partial<LoadJob> = {}): Promise<Measured> {
    const workload = { kind: 'createBEO', from: identities, count } as const;
    const measured = await measure(server, { ...job, workload });
    identities += count;
    await untilPosted(server.url, MAX_POSTING_SECONDS);
    return measured;
  }

  return {
    settings,
    folder,
    dataDir,
    server: () => server,
    identities: () => identities,
    startAnother: (name) =>
      startServer(join(folder, name), {
        profileFolder: null,
        onSpawned: (stop) => addStep(`the server ${name}`, stop),
      }),
    async restart() {
      await server.stop();
      server = await start();
      return server;
    },
    measure,
    create,
    async grow(population) {
      while (identities < population) await create(Math.min(SLICE, population - identities));
    },
    newDatabase,
    async startBare(name, prepare) {
      const databaseUrl = await newDatabase();
      await prepare(databaseUrl);
      const child: Child = startChild(name, databaseUrl);
      addStep(`the loop ${name}`, child.stop);
      const { port } = await child.receive<BareReady>();
      return { pid: child.pid, port, databaseUrl, stop: child.stop };
    },
    stopping,
    say,
  };
}
