import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { processorTime } from '../process-table.ts';
import { type BenchPostgres, startBenchPostgres } from './bare/bare-database.ts';
import type { BareReady } from './bare/bare-server.ts';
import type { Figure } from './figures.ts';
import type { LoadResult } from './load/bench-load.ts';
import type { LoadJob, LoadReply } from './load/load.worker.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import type { Settings } from './settings.ts';

/** The scenarios of a bench run in the order of the list in scenarios.ts. */
export interface Scenario {
  readonly name: string;
  run(session: Session): Promise<readonly Figure[]>;
}

/** A process that receives a load. */
export interface LoadTarget {
  readonly pid: number;
  readonly port: number;
}

export interface Measurement extends LoadResult {
  readonly perSecond: number;
  /** Milliseconds of processor time that the target used for one request; null where it is unknown. */
  readonly processorMs: number | null;
}

export interface SessionOptions {
  readonly settings: Settings;
  /** The folder of the bench, which is removed at its end. */
  readonly folder: string;
  /** Registers a step of the shutdown; the steps run in reverse order. */
  readonly addStep: (name: string, step: () => Promise<unknown>) => void;
  readonly log: (line: string) => void;
  /** Aborted when the bench is interrupted. */
  readonly interrupted: AbortSignal;
}

/** What the scenarios of one bench share. */
export interface Session extends SessionOptions {
  /** The server under test, whose ledger grows from one scenario to the next. */
  server(): Promise<ServerProcess>;
  /** Starts a server, on the data that an earlier one with this name left, and of another checkout if one is given. */
  start(name: string, checkout?: string): Promise<ServerProcess>;
  measure(target: LoadTarget, load: Pick<LoadJob, 'workload'> & { connections?: number }): Promise<Measurement>;
  /** Starts the bare loop of `<name>.worker.ts` on a new database. */
  startBareLoop(name: string, prepare: (databaseUrl: string) => Promise<void>): Promise<LoadTarget>;
  createDatabase(): Promise<string>;
}

const SERVER = 'server';
/** Connections of a load that does not set its own. */
const CONNECTIONS = 16;

export function createSession(options: SessionOptions): Session {
  const { settings, folder, addStep } = options;
  const generator = startWorker('load');
  addStep('the load generator', generator.stop);
  let server: Promise<ServerProcess> | undefined;
  let postgres: Promise<BenchPostgres> | undefined;

  function start(name: string, checkout = process.cwd()): Promise<ServerProcess> {
    const { profileFolder, rateLimits } = settings;
    return startServer({
      dataDir: join(folder, name),
      checkout,
      rateLimits,
      settings: settings.service,
      profileFolder: profileFolder && join(profileFolder, name === SERVER ? '' : name),
      onSpawned: (stop) => addStep(`the server ${name}`, stop),
    });
  }

  async function createDatabase(): Promise<string> {
    postgres ??= startBenchPostgres(join(folder, 'bare')).then((started) => {
      addStep('the database of the bare loops', started.stop);
      return started;
    });
    return (await postgres).createDatabase();
  }

  return {
    ...options,
    start,
    createDatabase,
    server() {
      server ??= start(SERVER);
      return server;
    },
    async measure({ pid, port }, { workload, connections = CONNECTIONS }) {
      const before = processorTime(pid);
      const reply = await generator.receive<LoadReply>({ port, workload, connections } satisfies LoadJob);
      if ('problem' in reply) throw new Error(reply.problem);
      const after = processorTime(pid);
      const { requests, seconds } = reply.result;
      const processorMs = before === null || after === null ? null : (after - before) / requests;
      return { ...reply.result, perSecond: requests / seconds, processorMs };
    },
    async startBareLoop(name, prepare) {
      const databaseUrl = await createDatabase();
      await prepare(databaseUrl);
      const { pid, receive, stop } = startWorker(name, databaseUrl);
      addStep(`the bare loop ${name}`, stop);
      const { port } = await receive<BareReady>();
      return { pid, port };
    },
  };
}

/** A worker of the bench in its own process, which ends with the bench's. */
interface WorkerProcess {
  readonly pid: number;
  /** Sends a message, if there is one, and waits for the next message. @throws {Error} when the process ends first. */
  receive<Message>(request?: object): Promise<Message>;
  stop(): Promise<void>;
}

/** Starts the bundle of `<name>.worker.ts`, which is in the same folder as the bundle of this file. */
function startWorker(name: string, ...args: string[]): WorkerProcess {
  const process = fork(new URL(`./${name}.worker.js`, import.meta.url), args, { serialization: 'advanced' });
  const ended = once(process, 'exit');
  const failed = ended.then(() => Promise.reject(new Error(`The process ${name} ended before it sent a message.`)));
  failed.catch(() => undefined);
  return {
    pid: process.pid ?? 0,
    async receive<Message>(request?: object) {
      const received = once(process, 'message');
      if (request && process.connected) process.send(request);
      const [message] = await Promise.race([received, failed]);
      return message as Message;
    },
    async stop() {
      process.kill('SIGKILL');
      await ended;
    },
  };
}
