import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../server/network/devnet/faults.ts';
import { kill } from '../process-table.ts';
import type { Layout, Machine } from './chaos-machine.ts';
import type { Deployment, ServingProcess } from './deployment.ts';
import type { Random } from './random.ts';

/** A fault that a round injects for a while. */
export interface Disturbance {
  readonly name: string;
  /** Two disturbances of one part do not overlap. */
  readonly part: 'process' | 'connection' | 'clock' | 'database' | 'network' | 'redis' | 'disk';
  /** Whether the counters of the rate limits may be lost or move in time. */
  readonly affectsLimits?: boolean;
  /** Whether valid requests may be refused because the time of a process is wrong. */
  readonly affectsTime?: boolean;
  isPossible(machine: Machine, layout: Layout): boolean;
  /** Begins it and returns how to end it, or null if it did not happen. */
  begin(deployment: Deployment, random: Random): Promise<Begun | null>;
}

export interface Begun {
  /** What happened, for the report. */
  readonly detail: string;
  end(): Promise<void>;
}

const always = () => true;
const nothing = async () => undefined;

/** Processes, their connections and their clocks ------------------------------------------------------------------- */

const running = ({ processes }: Deployment) => processes.filter(({ child }) => child.isRunning());

const isSingle = (_: Machine, { children }: Layout): boolean => children === 1;
const isParent = ({ isLinux }: Machine, { children }: Layout): boolean => children > 1 && isLinux;

/** Starts processes again that were killed, or lets those continue that were stopped. */
const undo = (signal: NodeJS.Signals, targets: readonly ServingProcess[]) => async () => {
  if (signal === 'SIGSTOP') for (const { child } of targets) await child.signal('SIGCONT');
  else await Promise.all(targets.map(({ child }) => child.start()));
};

const one = (random: Random, all: readonly ServingProcess[]) => (all.length > 0 ? [random.pick(all)] : []);
const every = (_: Random, all: readonly ServingProcess[]) => all;

/** Signals processes that the harness started: serving processes, or a parent, whose counters end with it. */
const signalled = (
  name: string,
  signal: NodeJS.Signals,
  isPossible: Disturbance['isPossible'],
  targetsOf: (random: Random, all: readonly ServingProcess[]) => readonly ServingProcess[] = one,
): Disturbance => ({
  name,
  part: 'process',
  affectsLimits: isPossible === isParent && (signal === 'SIGKILL' || signal === 'SIGTERM'),
  isPossible,
  async begin(deployment, random) {
    const targets = targetsOf(random, running(deployment));
    const done = await Promise.all(targets.map(({ child }) => child.signal(signal)));
    if (!done.includes(true)) return null;
    return { detail: targets.map(({ child }) => child.name).join(', '), end: undo(signal, targets) };
  },
});

/** Signals one of the serving processes of a parent, which replaces it if it ends. */
const childSignalled = (name: string, signal: NodeJS.Signals): Disturbance => ({
  name,
  part: 'process',
  isPossible: isParent,
  async begin({ processes }, random) {
    const ids = processes.flatMap(({ servingIds }) => servingIds());
    if (ids.length === 0) return null;
    const id = random.pick(ids);
    if (!kill(id, signal)) return null;
    return { detail: `one of ${ids.length}`, end: async () => void (signal === 'SIGSTOP' && kill(id, 'SIGCONT')) };
  },
});

/** Kills a parent and its serving processes at once. */
const familyKilled: Disturbance = {
  name: 'kill -9 of a parent with its serving processes',
  part: 'process',
  affectsLimits: true,
  isPossible: isParent,
  async begin(deployment) {
    const targets = running(deployment);
    const ids = targets.flatMap(({ servingIds }) => servingIds());
    await Promise.all(targets.map(({ child }) => child.signal('SIGKILL')));
    for (const id of ids) kill(id, 'SIGKILL');
    return targets.length > 0 ? { detail: `${ids.length} processes`, end: undo('SIGKILL', targets) } : null;
  },
};

const connection = (name: string, begin: (proxy: ServingProcess['proxy']) => void): Disturbance => ({
  name,
  part: 'connection',
  isPossible: always,
  async begin({ processes }, random) {
    const targets = random.chance(0.5) ? processes : [random.pick(processes)];
    for (const { proxy } of targets) begin(proxy);
    return {
      detail: targets.map(({ child }) => child.name).join(', '),
      async end() {
        for (const { proxy } of targets) proxy.restore();
      },
    };
  },
});

const clockStep: Disturbance = {
  name: 'step of the clock of a process',
  part: 'clock',
  affectsLimits: true,
  affectsTime: true,
  isPossible: ({ fakeTime }) => fakeTime !== null,
  async begin({ processes }, random) {
    const { clock, child } = random.pick(processes);
    const seconds = random.pick([-86_400, -600, -90, -2, 2, 90, 600, 86_400]);
    if (!clock) return null;
    clock.step(seconds);
    return { detail: `${child.name} by ${seconds} s`, end: async () => clock.step(0) };
  },
};

/**
 * The clock that decides about time. After a step ahead, entries wait for the network until the clock has caught up with
 * them, so steps ahead are short.
 */
const databaseClockStep: Disturbance = {
  name: 'step of the clock of the database',
  part: 'clock',
  affectsTime: true,
  isPossible: ({ fakeTime }) => fakeTime !== null,
  async begin({ database: { clock } }, random) {
    const seconds = random.pick([-86_400, -600, -90, -2, 2, 5]);
    if (!clock) return null;
    clock.step(seconds);
    return { detail: `by ${seconds} s`, end: async () => clock.step(0) };
  },
};

/** Database and disk ------------------------------------------------------------------------------------------------ */

const database: readonly Disturbance[] = [
  {
    name: 'kill -9 of the database',
    part: 'database',
    isPossible: always,
    begin: async ({ database }) =>
      database.signal('SIGKILL') ? { detail: 'postmaster', end: () => database.start() } : null,
  },
  {
    name: 'kill -9 of a server process of the database',
    part: 'database',
    isPossible: ({ isLinux }) => isLinux,
    begin: async ({ database }, random) =>
      database.killBackend((pids) => random.pick(pids)) ? { detail: 'backend', end: () => database.start() } : null,
  },
  {
    name: 'SIGSTOP of the database',
    part: 'database',
    isPossible: ({ isLinux }) => isLinux,
    begin: async ({ database }) =>
      database.signal('SIGSTOP', true)
        ? { detail: 'every process', end: async () => void database.signal('SIGCONT', true) }
        : null,
  },
  {
    name: 'full disk',
    part: 'disk',
    isPossible: ({ canMount }) => canMount,
    async begin({ disk, database }) {
      disk?.fill();
      return {
        detail: 'of the database and the devnet',
        async end() {
          disk?.empty();
          await database.start();
        },
      };
    },
  },
];

/** The storage network and Redis ------------------------------------------------------------------------------------ */

const post = async (url: string, body?: object): Promise<boolean> =>
  fetch(url, {
    method: 'POST',
    signal: AbortSignal.timeout(3_000),
    ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
  }).then(
    ({ ok }) => ok,
    () => false,
  );

const heal = ({ gatewayUrl }: Deployment) => post(`${gatewayUrl}/faults`, { mode: 'none' });

/** One row per fault of the devnet: a new one does not compile until it is here. */
const FAULTS: Readonly<Record<Exclude<Fault['mode'], 'none'>, readonly Fault[]>> = {
  refuse: [{ mode: 'refuse' }],
  error: [
    { mode: 'error' },
    { mode: 'error', status: 429 },
    { mode: 'error', status: 404 },
    { mode: 'error', status: 402, retryAfter: 1 },
  ],
  delay: [{ mode: 'delay' }, { mode: 'delay', ms: 300 }],
  cut: [{ mode: 'cut' }, { mode: 'cut', times: 1 }],
  drop: [{ mode: 'drop' }],
  lose: [{ mode: 'lose' }],
  price: [{ mode: 'price', factor: 100 }],
  page: [{ mode: 'page', size: 1 }],
};

const gatewayFault = (mode: keyof typeof FAULTS): Disturbance => ({
  name: `gateway fault: ${mode}`,
  part: 'network',
  isPossible: always,
  async begin(deployment, random) {
    const fault = random.pick(FAULTS[mode]);
    if (!(await post(`${deployment.gatewayUrl}/faults`, fault))) return null;
    return { detail: JSON.stringify(fault), end: async () => void (await heal(deployment)) };
  },
});

const reorganisation = (drop: boolean): Disturbance => ({
  name: drop ? 'reorganisation that drops transactions' : 'reorganisation',
  part: 'network',
  isPossible: always,
  async begin({ gatewayUrl }, random) {
    const blocks = random.whole(1, 12);
    const happened = await post(`${gatewayUrl}/reorganise/${blocks}?drop=${drop}`);
    return happened ? { detail: `${blocks} blocks`, end: nothing } : null;
  },
});

const emptyWallet: Disturbance = {
  name: 'empty wallet',
  part: 'network',
  isPossible: always,
  async begin({ gatewayUrl, walletAddress }) {
    const balance = await fetch(`${gatewayUrl}/wallet/${walletAddress}/balance`).then((response) => response.text());
    if (!(await post(`${gatewayUrl}/mint/${walletAddress}/-${balance}`))) return null;
    // The devnet may be down, because of a full disk.
    const refund = async () => {
      for (let attempt = 0; attempt < 100; attempt++) {
        if (await post(`${gatewayUrl}/mint/${walletAddress}/${balance}`)) return;
        await sleep(200);
      }
    };
    return { detail: `${balance} winston removed`, end: refund };
  },
};

const devnet = (name: string, signal: 'SIGKILL' | 'SIGSTOP'): Disturbance => ({
  name,
  part: 'network',
  isPossible: always,
  begin: async ({ devnet: child }) =>
    (await child.signal(signal))
      ? {
          detail: 'devnet',
          end: async () => void (signal === 'SIGKILL' ? await child.start() : await child.signal('SIGCONT')),
        }
      : null,
});

const redis = (name: string, signal: 'SIGKILL' | 'SIGSTOP'): Disturbance => ({
  name,
  part: 'redis',
  affectsLimits: true,
  isPossible: ({ redisServer }, { children }) => redisServer !== null && children === 1,
  async begin({ redis: child }) {
    if (!child || !(await child.signal(signal))) return null;
    const end = async () => void (signal === 'SIGKILL' ? await child.start() : await child.signal('SIGCONT'));
    return { detail: 'redis', end };
  },
});

export const DISTURBANCES: readonly Disturbance[] = [
  signalled('kill -9 of a process', 'SIGKILL', isSingle),
  signalled('kill -9 of every process', 'SIGKILL', isSingle, every),
  signalled('SIGSTOP of a process', 'SIGSTOP', isSingle),
  signalled('SIGTERM and restart of a process', 'SIGTERM', isSingle),
  childSignalled('kill -9 of a serving process of a parent', 'SIGKILL'),
  childSignalled('SIGSTOP of a serving process of a parent', 'SIGSTOP'),
  signalled('kill -9 of a parent', 'SIGKILL', isParent),
  signalled('SIGSTOP of a parent', 'SIGSTOP', isParent),
  signalled('SIGHUP of a parent', 'SIGHUP', isParent),
  signalled('SIGTERM and restart of a parent', 'SIGTERM', isParent),
  familyKilled,
  connection('connections to the database reset', (proxy) => proxy.cut()),
  connection('connections to the database reset between COMMIT and its answer', (proxy) => proxy.loseCommits()),
  connection('connections to the database frozen', (proxy) => proxy.freeze()),
  connection('packets to the database delayed', (proxy) => proxy.delay(150)),
  connection('packets to the database dropped', (proxy) => proxy.drop()),
  clockStep,
  databaseClockStep,
  ...database,
  ...(Object.keys(FAULTS) as (keyof typeof FAULTS)[]).map(gatewayFault),
  reorganisation(false),
  reorganisation(true),
  emptyWallet,
  devnet('kill -9 of the devnet', 'SIGKILL'),
  devnet('SIGSTOP of the devnet', 'SIGSTOP'),
  redis('kill -9 of Redis', 'SIGKILL'),
  redis('SIGSTOP of Redis', 'SIGSTOP'),
];
