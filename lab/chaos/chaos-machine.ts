import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureRedis } from '../../server/launch/redis.mjs';
import { findFakeTime } from './clocks.ts';
import { mountSmallDisk } from './disk.ts';

/** What this machine has for disturbances. */
export interface Machine {
  /** Whether there is /proc. */
  readonly isLinux: boolean;
  /** The path of libfaketime; null if it is missing. */
  readonly fakeTime: string | null;
  /** The path of the Redis server; null if it is missing. */
  readonly redisServer: string | null;
  readonly canMount: boolean;
}

/** The processes of a deployment. */
export interface Layout {
  /** Processes that are started, each with a port of its own. */
  readonly processes: number;
  /** Serving processes behind each port. Above 1, a parent starts them and counts for all. */
  readonly children: number;
}

/** Deployments follow one another in this order. Those with a parent have no Redis: the parent has the rate limits. */
export const LAYOUTS: readonly [Layout, Layout, Layout] = [
  { processes: 3, children: 1 },
  { processes: 1, children: 2 },
  { processes: 2, children: 1 },
];

/** @param index the number of the deployment in its run, from 0 */
export const layoutOf = (index: number): Layout => LAYOUTS[index % LAYOUTS.length] ?? LAYOUTS[0];

export const layoutName = ({ processes, children }: Layout): string =>
  children > 1 ? `a parent with ${children} processes` : `${processes} processes`;

export function readMachine(): Machine {
  return {
    isLinux: process.platform === 'linux',
    fakeTime: findFakeTime(),
    redisServer: ensureRedis().path ?? null,
    canMount: canMount(),
  };
}

function canMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), `perpetua-chaos-${process.pid}-mount-`));
  const disk = mountSmallDisk(join(directory, 'disk'), 1);
  disk?.remove();
  rmSync(directory, { recursive: true, force: true });
  return disk !== null;
}

/** Why some disturbances and checks are not possible on this machine. */
export const missingOn = ({ fakeTime, redisServer, canMount }: Machine): string[] => [
  ...(canMount ? [] : ['A full disk needs root on Linux, for a file system of its own.']),
  ...(fakeTime ? [] : ['Steps of a clock need libfaketime.']),
  ...(redisServer
    ? []
    : ['Faults of Redis, and the rate limits of processes without a parent, need redis-server or valkey-server.']),
];
