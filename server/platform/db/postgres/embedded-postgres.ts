import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveSettings } from './archive-command.ts';
import { prepareCluster, SUPERUSER } from './cluster.ts';
import { DirectoryInUse, EmbeddedPostgresError } from './error.ts';
import { DATABASE, isTransient, takeOwnership } from './ownership.ts';
import {
  findPostmaster,
  launchPostmaster,
  type Postmaster,
  runningPostmaster,
  type ServerSettings,
  startedWith,
  stopPostmaster,
} from './postmaster.ts';
import { addressFor, SERVICE_ROLE } from './service-role.ts';

export type EmbeddedPostgres = {
  /**
   * postgres://…@127.0.0.1:<port>/perpetua, with the service role's password. The parameter `host` is the socket's
   * directory, if the server has a socket.
   */
  url: string;
  /** The same with the superuser's name and password. */
  superuserUrl: string;
  /** The superuser's password. */
  password: string;
  /** Whether the server was already running, left behind by a killed process. */
  reused: boolean;
  /** The cluster on disk. Its parent folder contains only files of this data directory. */
  directory: string;
  /**
   * Stops the server, whichever process started it, and releases the data directory. May be called twice.
   * @returns false if another process has taken over the directory, and with it the server, which keeps running
   */
  stop(): Promise<boolean>;
};

/**
 * Starts PostgreSQL for a data directory, or takes over the server still running there, and locks the directory for this
 * process. If the server dies, it is restarted on the same port until `stop()` is called.
 * @throws {EmbeddedPostgresError} if the directory is unusable or in use, or the server does not start
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: (message: string) => void;
  /** Whether the server keeps its write-ahead log until it is archived: see archiving.ts. */
  archive?: boolean;
  /** How many connections it must accept. */
  connections?: number;
}): Promise<EmbeddedPostgres> {
  const { log } = options;
  const dataDir = resolve(options.dataDir);
  const { cluster, password } = await prepareCluster(dataDir, log).catch((error) => {
    throw asEmbeddedPostgresError(error);
  });
  const { directory } = cluster;
  const settings = {
    max_connections: `${Math.max(options.connections ?? 0, MIN_CONNECTIONS)}`,
    ...(options.archive ? archiveSettings(directory) : {}),
  };
  let stopping: Promise<boolean> | undefined;
  let restarting: Promise<void> | undefined;

  const own = async (server: Postmaster) => {
    const url = addressOf(server);
    return {
      ...{ server, owner: await takeOwnership(url, password, dataDir) },
      url: addressFor(SERVICE_ROLE, url, password).href,
      superuserUrl: addressFor(SUPERUSER, url, password).href,
    };
  };

  const open = async (port?: number) => {
    const found = await findPostmaster(directory, log);
    if (found) {
      // First of all, so that the server of another process is not stopped.
      const owned = await own(found);
      if (await isStartedWith(directory, settings)) return { ...owned, reused: true };
      log('PostgreSQL is restarted, because the settings of backups or processes changed.');
      await stopPostmaster(directory).finally(() => owned.owner.end());
    }
    return { ...(await own(await launchPostmaster(cluster, log, port, settings))), reused: false };
  };

  const restartWhenLost = () => {
    void current.owner.lost.then(() => {
      restarting = restart(current.server);
    });
  };

  const restart = async ({ port }: Postmaster) => {
    for (let attempt = 0; !stopping; attempt += 1) {
      try {
        current = await open(port);
        restartWhenLost();
        return log('The connection to PostgreSQL is restored.');
      } catch (error) {
        if (attempt === 0) log(`The connection to PostgreSQL was lost: ${(error as Error).message}`);
        await sleep(1_000);
      }
    }
  };

  /** Takes the lost lock again. True if another process holds it: the server is then not ours. */
  const isTakenOver = async () => {
    const running = await runningPostmaster(directory);
    if (!running?.ready) return running !== undefined && running.pid !== current.server.pid;
    try {
      current = { ...(await own(running.ready)), reused: true };
      return false;
    } catch (error) {
      return error instanceof DirectoryInUse;
    }
  };

  const stop = async () => {
    await restarting;
    if (!(await current.owner.isHeld()) && (await isTakenOver())) {
      log('PostgreSQL keeps running, because another process has taken over its data directory.');
      return false;
    }
    // The lock is held until the server has stopped: a successor waits instead of using a server that is shutting down.
    await stopPostmaster(directory).finally(() => current.owner.end());
    return true;
  };

  let current = await openWithRetries(open);
  restartWhenLost();
  return {
    url: current.url,
    superuserUrl: current.superuserUrl,
    password,
    reused: current.reused,
    directory,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/** PostgreSQL's default. */
const MIN_CONNECTIONS = 100;

/** Whether the server that runs on a directory archives as it should, and accepts enough connections. */
async function isStartedWith(directory: string, wanted: ServerSettings): Promise<boolean> {
  const actual = await startedWith(directory);
  const connections = Number(actual.max_connections ?? MIN_CONNECTIONS);
  return actual.archive_mode === wanted.archive_mode && connections >= Number(wanted.max_connections);
}

async function openWithRetries<T>(open: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!isTransient(error) || Date.now() > deadline) throw asEmbeddedPostgresError(error);
      await sleep(100);
    }
  }
}

function asEmbeddedPostgresError(error: unknown): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  return new EmbeddedPostgresError(`The embedded PostgreSQL failed: ${(error as Error).message}.`);
}

function addressOf({ port, socketDirectory }: Postmaster): URL {
  const url = new URL(`postgres://127.0.0.1:${port}/${DATABASE}`);
  if (socketDirectory) url.searchParams.set('host', socketDirectory);
  return url;
}
