import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Child, createChild } from '../../chaos/child.ts';

const run = promisify(execFile);

/** A machine of the set-up: a network namespace on the bridge, with folders of its own in place of some of this machine's. */
export interface Host {
  readonly name: string;
  readonly address: string;
  /** The folder that its programs see as `path`, which is one of HOST_FOLDERS or below one. */
  folder(path: string): string;
  /** A program that runs here. It is not started yet. */
  program(program: ProgramParts): Child;
  /** Runs a command here. Returns its output. */
  run(user: string, ...command: readonly string[]): Promise<string>;
  /** Sends kill -9 to everything that runs here. */
  kill(): Promise<void>;
  /** Unplugs its cable. */
  cut(): Promise<void>;
  restore(): Promise<void>;
}

interface ProgramParts {
  readonly name: string;
  readonly user: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface HostNetwork {
  readonly hosts: ReadonlyMap<string, Host>;
  /** The folder of the logs of all programs. */
  readonly logs: string;
  remove(): Promise<void>;
}

/** Where packages keep their settings and data. Each host has these folders of its own. */
const HOST_FOLDERS = [
  ...['/run', '/var/lib/etcd', '/var/lib/postgresql', '/var/lib/redis', '/var/log/nginx', '/var/lib/nginx'],
  ...[
    '/etc/haproxy',
    '/etc/letsencrypt',
    '/etc/nginx/conf.d',
    '/etc/nginx/sites-enabled',
    '/etc/patroni',
    '/etc/redis',
  ],
];

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const PREFIX = 'pcl-';
const BRIDGE = `${PREFIX}bridge`;
const NETWORK = '10.117';
/** The address of this machine on the bridge. */
export const OWN_ADDRESS = `${NETWORK}.0.1`;
/** Every address from here on is this machine's too, so that each client has one of its own. */
const CLIENTS = `${NETWORK}.128.0/17`;
/** The nth address of a client. */
export const clientAddress = (n: number): string => {
  const place = (n % 0x7ffe) + 1;
  return `${NETWORK}.${128 + (place >> 8)}.${place & 255}`;
};

const ip = (...args: readonly string[]): string => execFileSync('ip', [...args], { encoding: 'utf8', stdio: 'pipe' });

/**
 * Creates hosts on one bridge, which know each other as NAME.internal.
 * @param root an existing folder
 */
export async function createHostNetwork(root: string, names: readonly string[]): Promise<HostNetwork> {
  await removeRemains();
  const logs = join(root, 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o755 });
  ip('link', 'add', BRIDGE, 'type', 'bridge');
  ip('addr', 'add', `${OWN_ADDRESS}/16`, 'dev', BRIDGE);
  ip('link', 'set', BRIDGE, 'up');
  ip('route', 'add', 'local', CLIENTS, 'dev', 'lo');

  const placed = names.map((name, index) => ({ name, address: `${NETWORK}.0.${index + 11}` }));
  const hostsFile = join(root, 'hosts');
  const lines = placed.map(({ name, address }) => `${address} ${name}.internal\n`);
  writeFileSync(hostsFile, `127.0.0.1 localhost\n${lines.join('')}`);
  const hosts = new Map(placed.map((each) => [each.name, createHost(each, { root, logs, hostsFile })]));

  return {
    hosts,
    logs,
    remove: removeRemains,
  };
}

interface HostParts {
  readonly root: string;
  readonly logs: string;
  readonly hostsFile: string;
}

function createHost({ name, address }: Pick<Host, 'name' | 'address'>, { root, logs, hostsFile }: HostParts): Host {
  const namespace = PREFIX + name;
  const inside = (path: string) => join(root, name, path);
  for (const path of HOST_FOLDERS) {
    for (const folder of [path, inside(path)]) mkdirSync(folder, { recursive: true, mode: 0o755 });
  }
  ip('netns', 'add', namespace);
  ip('link', 'add', namespace, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  ip('link', 'set', namespace, 'master', BRIDGE, 'up');
  ip('-n', namespace, 'link', 'set', 'lo', 'up');
  ip('-n', namespace, 'addr', 'add', `${address}/16`, 'dev', 'eth0');
  ip('-n', namespace, 'link', 'set', 'eth0', 'up');

  /** `ip netns exec` gives the command its own mounts, which this machine does not see. */
  const script = [
    `mount --bind ${hostsFile} /etc/hosts`,
    ...HOST_FOLDERS.map((path) => `mount --rbind ${inside(path)} ${path}`),
    'export HOME="$(getent passwd "$0" | cut -d: -f6)"',
    'exec setpriv "--reuid=$0" "--regid=$(id -g "$0")" --init-groups -- "$@"',
  ].join('\n');
  const args = (user: string, command: readonly string[]): string[] => [
    ...['netns', 'exec', namespace, 'sh', '-ec', script],
    ...[user, ...command],
  ];
  const baseEnv: NodeJS.ProcessEnv = { NODE_ENV: 'production', PATH, LC_ALL: 'C.UTF-8' };

  return {
    name,
    address,
    folder: inside,
    program: ({ name: program, user, command, env = {} }) =>
      createChild({
        name: `${program} on ${name}`,
        kind: 'spawn',
        command: 'ip',
        args: args(user, command),
        env: () => ({ ...baseEnv, ...env }),
        logFile: join(logs, `${name}-${program}.log`),
      }),
    run: async (user, ...command) =>
      (await run('ip', args(user, command), { env: baseEnv, maxBuffer: 1 << 26 })).stdout,
    kill: () => killIn(namespace),
    cut: async () => void ip('link', 'set', namespace, 'down'),
    restore: async () => void ip('link', 'set', namespace, 'up'),
  };
}

/** Until none is left: a program may start another one meanwhile. */
async function killIn(namespace: string): Promise<void> {
  for (;;) {
    const pids = ip('netns', 'pids', namespace).split('\n').filter(Boolean);
    if (pids.length === 0) return;
    await run('kill', ['-9', ...pids]).catch(() => undefined);
  }
}

/** Removes the hosts of this run, or of one that was killed. */
async function removeRemains(): Promise<void> {
  const left = ip('netns', 'list')
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
    .filter((each) => each.startsWith(PREFIX));
  for (const namespace of left) {
    await killIn(namespace);
    // With the namespace alone, its cable would stay for a while.
    await run('ip', ['link', 'del', namespace]).catch(() => undefined);
    ip('netns', 'del', namespace);
  }
  for (const command of [
    ['route', 'del', 'local', CLIENTS, 'dev', 'lo'],
    ['link', 'del', BRIDGE],
  ]) {
    await run('ip', command).catch(() => undefined);
  }
}
