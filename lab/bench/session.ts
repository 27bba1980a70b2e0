import { join } from 'node:path';
import { type BenchPostgres, startBenchPostgres } from './bare/bare-database.ts';
import type { BareReady } from './bare/bare-server.ts';
import type { Figure } from './figures.ts';
import { untilPosted } from './ledger-state.ts';
import type { LoadResult } from './load/bench-load.ts';
import type { LoadJob, LoadReply } from './load/load.worker.ts';
import { processorTime } from './process-usage.ts';
import { type ServerOptions, type ServerProcess, startServer } from './server-process.ts';
import type { Settings } from './settings.ts';
import { startWorker } from './worker-process.ts';

/** The scenarios of a bench run in the order of the list in bench.ts, on one server. Each creates what it needs. */
export interface Scenario {
  readonly name: string;
  run(session: Session): Promise<readonly Figure[]>;
}

/** A process that receives a load. */
export interface LoadTarget {
  readonly pid: number;
  readonly port: number;
}

export type Load = Pick<LoadJob, 'workload'> & Partial<LoadJob>;

export interface Measurement extends LoadResult {
  readonly perSecond: number;
  /** Milliseconds of processor time that the target used for one request; null where it is unknown. */
  readonly processorMs: number | null;
}

export interface BareLoop extends LoadTarget {
  stop(): Promise<void>;
}

/** What the scenarios of one bench share: the server under test, the load generator, the database of the bare loops. */
export interface Session {
  readonly settings: Settings;
  server(): ServerProcess;
  /** How many identities `create` and `grow` have created; see domainOf. */
  identities(): number;
  /** Starts a second server with its own data. */
  startAnother(name: string, options?: Pick<ServerOptions, 'checkout' | 'settings'>): Promise<ServerProcess>;
  /** Stops the server and starts it again on the same data. */
  restart(): Promise<ServerProcess>;
  measure(target: LoadTarget, load: Load): Promise<Measurement>;
  /** Measures the creation of the next `count` identities and waits until they are posted. */
  create(count: number, load?: Partial<LoadJob>): Promise<Measurement>;
  /** Creates identities until there are `population`. */
  grow(population: number): Promise<void>;
  createDatabase(): Promise<string>;
  /** The folder of the bench, which is removed at its end. */
  readonly folder: string;
  startBareLoop(
    name: 'bare-create' | 'bare-read' | 'bare-submit',
    prepare: (databaseUrl: string) => Promise<void>,
  ): Promise<BareLoop>;
  /** Registers a step of the shutdown; the steps run in reverse order. */
  readonly addStep: SessionOptions['addStep'];
  /** Aborted when the bench is interrupted. */
  readonly interrupted: AbortSignal;
  log(line: string): void;
}

const MAX_LOAD_SECONDS = 120;
/** Requests that are prepared at once, to bound the memory of the load generator. */
const MAX_PREPARED = 20_000;

export interface SessionOptions {
  readonly settings: Settings;
  readonly folder: string;
  /** Registers a step of the shutdown; the steps run in reverse order. */
  readonly addStep: (name: string, step: () => Promise<unknown>) => void;
  readonly log: (line: string) => void;
  readonly interrupted: AbortSignal;
}

export const serverDataDir = (folder: string): string => join(folder, 'server');

export async function startSession(options: SessionOptions): Promise<Session> {
  const { settings, folder, addStep, log, interrupted } = options;
  const { rateLimits, profileFolder } = settings;
  const generator = startWorker('load');
  addStep('the load generator', generator.stop);
  let stopServer = async () => {};
  addStep('the server under test', () => stopServer());
  const start = () =>
    startServer({
      dataDir: serverDataDir(folder),
      rateLimits,
      profileFolder,
      onSpawned: (stop) => {
        stopServer = stop;
      },
    });
  let server = await start();
  let identities = 0;
  let postgres: BenchPostgres | undefined;

  async function createDatabase(): Promise<string> {
    if (!postgres) {
      postgres = await startBenchPostgres(join(folder, 'bare'));
      addStep('the database of the bare loops', postgres.stop);
    }
    return postgres.createDatabase();
  }

  async function measure(target: LoadTarget, load: Load): Promise<Measurement> {
    const job: LoadJob = {
      perSecond: null,
      connections: settings.connections,
      maxSeconds: MAX_LOAD_SECONDS,
      ...load,
      port: target.port,
    };
    const before = await processorTime(target.pid);
    const reply = await generator.receive<LoadReply>(job);
    if ('problem' in reply) throw new Error(reply.problem);
    const after = await processorTime(target.pid);
    const { result } = reply;
    return {
      ...result,
      perSecond: result.requests / result.seconds,
      processorMs: before === null || after === null ? null : (after - before) / result.requests,
    };
  }

  async function create(count: number, load: Partial<LoadJob> = {}): Promise<Measurement> {
    const workload = { kind: 'createBEO', from: identities, count } as const;
    const measurement = await measure(server, { ...load, workload });
    identities += count;
    await untilPosted(server.url);
    return measurement;
  }

  return {
    settings,
    server: () => server,
    identities: () => identities,
    startAnother: (name, { checkout = process.cwd(), settings = {} } = {}) =>
      startServer({
        dataDir: join(folder, name),
        checkout,
        settings,
        rateLimits,
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
      while (identities < population) await create(Math.min(MAX_PREPARED, population - identities));
    },
    createDatabase,
    folder,
    async startBareLoop(name, prepare) {
      const databaseUrl = await createDatabase();
      await prepare(databaseUrl);
      const worker = startWorker(name, databaseUrl);
      addStep(`the bare loop ${name}`, worker.stop);
      const { port } = await worker.receive<BareReady>();
      return { pid: worker.pid, port, stop: worker.stop };
    },
    addStep,
    interrupted,
    log,
  };
}
