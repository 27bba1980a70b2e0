import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prepareCluster } from './cluster.ts';
import { EmbeddedPostgresError } from './error.ts';
import { DATABASE, isPassing, takeOwnership } from './ownership.ts';
import { findPostmaster, launchPostmaster, type Postmaster, stopPostmaster } from './postmaster.ts';
import { addressFor, SERVICE_ROLE } from './service-role.ts';

export type EmbeddedPostgres = {
  /**
   * postgres://…@127.0.0.1:<port>/perpetua of a role that is no superuser, with its password; `host` names the directory of its
   * socket, where it has one.
   */
  url: string;
  /** Whether the server was running already, left behind by a process that was killed. */
  reused: boolean;
  /** The cluster on disk; its parent folder holds nothing that is not this data directory's. */
  directory: string;
  /** Stops the server, whoever started it, and releases the data directory. May be called twice. */
  stop(): Promise<void>;
};

/**
 * Runs PostgreSQL for one data directory, or takes over the server still running there, and holds that directory for
 * this process alone. Should the server die, it is started again on the same port until `stop()` is called.
 * @throws {EmbeddedPostgresError} one sentence (see embedded-postgres/error.ts): the directory is unusable or in use by another process, or the server does not start.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: (message: string) => void;
}): Promise<EmbeddedPostgres> {
  const { log } = options;
  const dataDir = resolve(options.dataDir);
  const { cluster, password } = await prepareCluster(dataDir, log).catch((error) => {
    throw asSentence(error);
  });
  const { directory } = cluster;
  let stopping: Promise<void> | undefined;
  let reviving: Promise<void> | undefined;

  const open = async (port?: number) => {
    const found = await findPostmaster(directory, log);
    const server = found ?? (await launchPostmaster(cluster, log, port));
    const url = addressOf(server);
    const owner = await takeOwnership(url, password, dataDir);
    return { server, owner, url: addressFor(SERVICE_ROLE, url, password).href, reused: found !== undefined };
  };

  const reviveWhenLost = () => {
    void current.owner.lost.then(() => {
      reviving = revive(current.server);
    });
  };

  const revive = async ({ port }: Postmaster) => {
    for (let attempt = 0; !stopping; attempt += 1) {
      try {
        current = await open(port);
        reviveWhenLost();
        return log('The connection to PostgreSQL was lost and is back.');
      } catch (error) {
        if (attempt === 0) log(`The connection to PostgreSQL was lost: ${(error as Error).message}`);
        await sleep(1_000);
      }
    }
  };

  const stop = async () => {
    await reviving;
    // The lock is held to the end, so that a successor waits for the shutdown instead of being shut down with it.
    await stopPostmaster(directory).finally(() => current.owner.end());
  };

  let current = await openPatiently(open);
  reviveWhenLost();
  return {
    url: current.url,
    reused: current.reused,
    directory,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

async function openPatiently<T>(open: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!isPassing(error) || Date.now() > deadline) throw asSentence(error);
      await sleep(100);
    }
  }
}

function asSentence(error: unknown): EmbeddedPostgresError {
  if (error instanceof EmbeddedPostgresError) return error;
  return new EmbeddedPostgresError(`The embedded PostgreSQL cannot be used: ${(error as Error).message}.`);
}

function addressOf({ port, socketDirectory }: Postmaster): URL {
  const url = new URL(`postgres://127.0.0.1:${port}/${DATABASE}`);
  if (socketDirectory) url.searchParams.set('host', socketDirectory);
  return url;
}
