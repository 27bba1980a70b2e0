import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../embedded/devnet/faults.ts';
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
  /** False if this machine or this deployment cannot have it. */
  isPossible(deployment: Deployment): boolean;
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

const signalled = (
  name: string,
  signal: NodeJS.Signals,
  how: (random: Random, all: readonly ServingProcess[]) => readonly ServingProcess[],
): Disturbance => ({
  name,
  part: 'process',
  isPossible: always,
  async begin(deployment, random) {
    const targets = how(random, running(deployment));
    const done = await Promise.all(targets.map(({ child }) => child.signal(signal)));
    if (!done.includes(true)) return null;
    return {
      detail: targets.map(({ child }) => child.name).join(', '),
      async end() {
        if (signal === 'SIGSTOP') for (const { child } of targets) await child.signal('SIGCONT');
        else await Promise.all(targets.map(({ child }) => child.start()));
      },
    };
  },
});

const one = (random: Random, all: readonly ServingProcess[]) => (all.length > 0 ? [random.pick(all)] : []);
const every = (_: Random, all: readonly ServingProcess[]) => all;

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
  isPossible: ({ processes }) => processes.every(({ clock }) => clock !== null),
  async begin({ processes }, random) {
    const { clock, child } = random.pick(processes);
    const seconds = random.pick([-86_400, -600, -90, -2, 2, 90, 600, 86_400]);
    if (!clock) return null;
    clock.step(seconds);
    return { detail: `${child.name} by ${seconds} s`, end: async () => clock.step(0) };
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
    isPossible: () => process.platform === 'linux',
    begin: async ({ database }, random) =>
      database.killBackend((pids) => random.pick(pids)) ? { detail: 'backend', end: () => database.start() } : null,
  },
  {
    name: 'SIGSTOP of the database',
    part: 'database',
    isPossible: () => process.platform === 'linux',
    begin: async ({ database }) =>
      database.signal('SIGSTOP', true)
        ? { detail: 'every process', end: async () => void database.signal('SIGCONT', true) }
        : null,
  },
  {
    name: 'full disk',
    part: 'disk',
    isPossible: ({ disk }) => disk !== null,
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
  error: [{ mode: 'error' }, { mode: 'error', status: 429 }, { mode: 'error', status: 404 }],
  delay: [{ mode: 'delay' }, { mode: 'delay', ms: 300 }],
  cut: [{ mode: 'cut' }, { mode: 'cut', times: 1 }],
  drop: [{ mode: 'drop' }],
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
  isPossible: (deployment) => deployment.redis !== null,
  async begin({ redis: child }) {
    if (!child || !(await child.signal(signal))) return null;
    const end = async () => void (signal === 'SIGKILL' ? await child.start() : await child.signal('SIGCONT'));
    return { detail: 'redis', end };
  },
});

export const DISTURBANCES: readonly Disturbance[] = [
  signalled('kill -9 of a process', 'SIGKILL', one),
  signalled('kill -9 of every process', 'SIGKILL', every),
  signalled('SIGSTOP of a process', 'SIGSTOP', one),
  signalled('SIGTERM and restart of a process', 'SIGTERM', one),
  connection('connections to the database reset', (proxy) => proxy.cut()),
  connection('connections to the database frozen', (proxy) => proxy.freeze()),
  connection('packets to the database delayed', (proxy) => proxy.delay(150)),
  connection('packets to the database dropped', (proxy) => proxy.drop()),
  clockStep,
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
