import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { prepareCluster } from '../../server/platform/db/postgres/cluster.ts';
import { startEmbeddedPostgres } from '../../server/platform/db/postgres/embedded-postgres.ts';
import { DATABASE } from '../../server/platform/db/postgres/ownership.ts';
import { findPostmaster, launchPostmaster, stopPostmaster } from '../../server/platform/db/postgres/postmaster.ts';
import { addressFor, SERVICE_ROLE } from '../../server/platform/db/postgres/service-role.ts';
import { childrenOf, commandOf, isAlive, kill } from '../process-table.ts';
import type { SteppedClock } from './clocks.ts';

const run = promisify(execFile);

export interface ChaosDatabase {
  readonly port: number;
  /** The URL for a process that connects to this port, which is the server's or that of a proxy. */
  url(port: number): string;
  /** The password of its superuser. */
  readonly password: string;
  /** Null without libfaketime. */
  readonly clock: SteppedClock | null;
  /** The directory of the server's log files. */
  readonly logs: string;
  isRunning(): boolean;
  /** Starts the server if it does not run, and waits until it is ready. */
  start(): Promise<void>;
  /** Sends a signal to the postmaster; with `all`, to every process of the server. False if it does not run. */
  signal(signal: NodeJS.Signals, all?: boolean): boolean;
  /** Kills one server process that serves a connection, which makes the server recover. False if there is none. */
  killBackend(pick: (pids: readonly number[]) => number): boolean;
  stop(): Promise<void>;
}

interface DatabaseParts {
  readonly dataDir: string;
  readonly port: number;
  /** A folder that takes the cluster instead of the data directory, for a full disk. */
  readonly disk: string | null;
  readonly clock: SteppedClock | null;
}

/** PostgreSQL that stays dead when it is killed: `startEmbeddedPostgres` would restart it. */
export async function createChaosDatabase({ dataDir, port, disk, clock }: DatabaseParts): Promise<ChaosDatabase> {
  const quiet = () => undefined;
  const first = await startEmbeddedPostgres({ dataDir, log: quiet });
  await first.stop();
  if (disk) await move(join(dataDir, 'postgres'), join(disk, 'postgres'));
  const { cluster: prepared, password } = await prepareCluster(dataDir, quiet);
  const cluster = clock ? { ...prepared, binaries: withClock(prepared.binaries, clock, dataDir) } : prepared;
  const { directory } = cluster;

  const postmaster = (): number | null => {
    try {
      const pid = Number.parseInt(readFileSync(join(directory, 'postmaster.pid'), 'utf8'), 10);
      return isAlive(pid) ? pid : null;
    } catch {
      return null;
    }
  };
  return {
    port,
    password,
    clock,
    logs: join(directory, 'log'),
    url: (through) => addressFor(SERVICE_ROLE, new URL(`postgres://127.0.0.1:${through}/${DATABASE}`), password).href,
    isRunning: () => postmaster() !== null,
    async start() {
      for (let attempt = 0; ; attempt++) {
        try {
          if (!(await findPostmaster(directory, quiet))) await launchPostmaster(cluster, quiet, port);
          return;
        } catch (error) {
          // The processes of a killed server may still hold its shared memory.
          if (attempt === 40) throw error;
          await sleep(250);
        }
      }
    },
    signal(signal, all = false) {
      const pid = postmaster();
      if (pid === null) return false;
      for (const each of all ? [pid, ...childrenOf(pid)] : [pid]) kill(each, signal);
      return true;
    },
    killBackend(pick) {
      const pid = postmaster();
      const backends = pid === null ? [] : childrenOf(pid).filter((child) => commandOf(child).includes(SERVICE_ROLE));
      if (backends.length === 0) return false;
      kill(pick(backends), 'SIGKILL');
      return true;
    },
    stop: () => stopPostmaster(directory),
  };
}

/** The server's program, which a script starts with a clock of its own: it is started without our environment. */
function withClock<Programs extends { readonly directory: string }>(
  programs: Programs,
  clock: SteppedClock,
  dataDir: string,
): Programs {
  const directory = `${dataDir}-programs`;
  mkdirSync(join(directory, 'bin'), { recursive: true });
  const settings = Object.entries(clock.env).map(([name, value]) => `${name}='${value}'`);
  const script = ['#!/bin/sh', `exec env ${settings.join(' ')} '${join(programs.directory, 'bin', 'postgres')}' "$@"`];
  writeFileSync(join(directory, 'bin', 'postgres'), `${script.join('\n')}\n`, { mode: 0o755 });
  return { ...programs, directory };
}

/** Moves a cluster, with its owner, and leaves a link, as an operator does with a disk of its own. */
async function move(from: string, to: string): Promise<void> {
  const source = realpathSync(from);
  await run('cp', ['-a', source, to]);
  if (source !== from) rmSync(dirname(source), { recursive: true });
  rmSync(from, { recursive: true, force: true });
  symlinkSync(to, from);
}
