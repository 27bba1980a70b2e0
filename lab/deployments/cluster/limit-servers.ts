import { setTimeout as sleep } from 'node:timers/promises';
import { deployFile, filledIn, install, makeFolder } from './deploy-files.ts';
import type { Host } from './host-network.ts';

/** Redis on three hosts, each with a Sentinel. */
export interface LimitServers {
  /** Starts what does not run on a host, or on all. */
  start(host?: Host): Promise<void>;
  /** The host of the master, as most Sentinels that answer report it. */
  master(): Promise<Host>;
  /** Waits until one server is the master, and the others follow it. */
  whole(): Promise<void>;
}

/** Servers with the files of deploy/cluster. None is started yet. */
export function createLimitServers(hosts: readonly Host[], password: string): LimitServers {
  const programs = new Map(
    hosts.map((host, index) => {
      const words = { THIS: host.name, LIMITS_PASSWORD: password };
      const follows = index === 0 ? '' : `replicaof ${hosts[0]?.name}.internal 6379\n`;
      makeFolder(host, '/var/lib/redis', 'redis');
      install(host, '/etc/redis/redis.conf', filledIn(deployFile('cluster/redis.conf'), words) + follows, 'redis');
      install(host, '/etc/redis/sentinel.conf', filledIn(deployFile('cluster/sentinel.conf'), words), 'redis');
      const program = (name: string) =>
        host.program({
          name,
          user: 'redis',
          command: [`redis-${name}`, `/etc/redis/${name === 'server' ? 'redis' : name}.conf`],
        });
      return [host, [program('server'), program('sentinel')]] as const;
    }),
  );
  const cli = (host: Host, port: number, ...command: readonly string[]) =>
    host.run('redis', 'redis-cli', '--no-auth-warning', '-a', password, '-p', String(port), ...command).catch(() => '');

  async function master(): Promise<Host> {
    for (;;) {
      const answers = await Promise.all(
        hosts.map((host) => cli(host, 26_379, 'SENTINEL', 'get-master-addr-by-name', 'limits')),
      );
      const found = hosts.find(
        ({ name }) => answers.filter((answer) => answer.startsWith(`${name}.internal`)).length > hosts.length / 2,
      );
      if (found) return found;
      await sleep(200);
    }
  }

  return {
    async start(host) {
      for (const each of host ? [host] : hosts) for (const program of programs.get(each) ?? []) await program.start();
    },
    master,
    async whole() {
      for (;;) {
        const answer = await cli(await master(), 6_379, 'INFO', 'replication');
        if (answer.includes('role:master') && answer.split('state=online').length === hosts.length) return;
        await sleep(200);
      }
    },
  };
}
