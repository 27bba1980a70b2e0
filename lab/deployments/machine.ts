import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requirePackages } from '../../server/launch/debian.mjs';
import { copyOnWrite, debianRoot } from './debian-root.ts';
import { createNetwork, type OwnNetwork } from './own-network.ts';
import { runProgram } from './run-program.ts';

/** A Debian that systemd has booted, with a network of its own. */
export interface Machine {
  readonly network: OwnNetwork;
  /** The path here of a file there. */
  path(file: string): string;
  /** Runs commands there with bash, as root, until one fails. Returns their output. */
  run(commands: string, options?: { readonly input?: string }): Promise<string>;
  /** Shuts it down and removes it. */
  remove(): Promise<void>;
}

const ENVIRONMENT = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin', 'HOME=/root', 'LANG=C.UTF-8'];

// Without --norc bash takes itself for a login of another machine, because its input is a socket.
const BASH = ['bash', '--norc', '-euo', 'pipefail', '-c'];

/** @param subnet see {@link createNetwork} */
export async function bootMachine(subnet: number): Promise<Machine> {
  requirePackages('systemd-container');
  const root = await copyOnWrite(await debianRoot());
  const network = await createNetwork(subnet);
  const groups = createGroups(`perpetua-${process.pid}-${subnet}`);
  const log = join(dirname(root.directory), 'console.log');
  const child = startContainer(root.directory, network, groups, log);
  const ended = once(child, 'exit');
  const leader = await leaderOf(child, log);
  const run: Machine['run'] = (commands, options) =>
    runProgram(
      'nsenter',
      [`--target=${leader}`, '--all', '--root', '--wd', 'env', '-i', ...ENVIRONMENT, ...BASH, commands],
      options,
    );
  // It prints `degraded` and fails if a unit failed that has nothing to do with the deployment.
  await run('until [ -S /run/systemd/private ]; do sleep 0.1; done; systemctl is-system-running --wait || true');
  return {
    network,
    path: (file) => join(root.directory, file),
    run,
    async remove() {
      child.kill('SIGTERM');
      await ended;
      await network.remove();
      await root.remove();
      await runProgram('find', [...groups, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
    },
  };
}

/** A control group in each hierarchy that systemd uses, so that the machine does not use the groups of this one. */
function createGroups(name: string): readonly string[] {
  const hierarchies = ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified', '/sys/fs/cgroup'];
  const used = hierarchies.filter((hierarchy) => existsSync(join(hierarchy, 'cgroup.procs')));
  const groups = used.map((hierarchy) => join(hierarchy, name));
  for (const group of groups) mkdirSync(group, { recursive: true });
  return groups;
}

function startContainer(directory: string, { path }: OwnNetwork, groups: readonly string[], log: string): ChildProcess {
  const output = openSync(log, 'a');
  const enter = groups.map((group) => `echo $$ > ${group}/cgroup.procs`).join('; ');
  const options = [
    ...['--quiet', '--boot', '--register=no', '--keep-unit', '--console=pipe', '--timezone=off'],
    ...[
      '--resolv-conf=copy-host',
      `--network-namespace-path=${path}`,
      `--directory=${directory}`,
      '--machine=perpetua',
    ],
  ];
  const child = spawn('sh', ['-c', `${enter}; exec systemd-nspawn "$@"`, 'sh', ...options], {
    stdio: ['ignore', output, output],
    // As on Debian 12, also where this machine has the hierarchies of version 1.
    env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
  });
  closeSync(output);
  return child;
}

/** The first process of the container, which systemd-nspawn starts. */
async function leaderOf(child: ChildProcess, log: string): Promise<number> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`systemd-nspawn ended:\n${readFileSync(log, 'utf8')}`);
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ');
    const leader = children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/systemd\0'));
    if (leader) return Number(leader);
    await sleep(100);
  }
}
