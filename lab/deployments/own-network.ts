import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { requirePackages } from '../../server/launch/debian.mjs';
import { runProgram } from './run-program.ts';

/** A network name space that reaches the internet through this machine, and whose ports and rules are its own. */
export interface OwnNetwork {
  /** The path of the name space. */
  readonly path: string;
  /** Its address as this machine reaches it, and that of this machine as it reaches it. */
  readonly address: string;
  readonly host: string;
  /** The command that runs a command in it. */
  readonly enter: readonly string[];
  /** Forwards a port of {@link address} to the same port of its loopback address, as a proxy on that machine does. */
  publish(port: number): void;
  remove(): Promise<void>;
}

const FORWARD = '/proc/sys/net/ipv4/ip_forward';

/** @param subnet the third part of its address in 10.77.0.0/16: one that no other set-up uses */
export async function createNetwork(subnet: number): Promise<OwnNetwork> {
  requirePackages('iproute2', 'iptables', 'util-linux', 'socat');
  const [host, address] = [`10.77.${subnet}.1`, `10.77.${subnet}.2`];
  const name = `perpetua-${subnet}`;
  const path = `/run/netns/${name}`;
  const enter = ['nsenter', `--net=${path}`];
  const ip = (words: string) => runProgram('ip', words.split(' '));
  const rule = `POSTROUTING -s ${address}/32 ! -d ${host}/32 -j MASQUERADE`.split(' ');
  const nat = (action: string) => runProgram('iptables', ['-w', '-t', 'nat', action, ...rule]);
  // What is left of a run that was killed, whose processes may still use the name space.
  for (const left of [`netns delete ${name}`, `link delete ${name}`]) await ip(left).catch(() => undefined);
  await ip(`netns add ${name}`);
  await ip(`link add ${name} type veth peer name eth0 netns ${name}`);
  await ip(`address add ${host}/24 dev ${name}`);
  await ip(`link set ${name} up`);
  await ip(`-n ${name} address add ${address}/24 dev eth0`);
  for (const link of ['lo', 'eth0']) await ip(`-n ${name} link set ${link} up`);
  await ip(`-n ${name} route add default via ${host}`);
  writeFileSync(FORWARD, '1');
  await nat('-C').catch(() => nat('-A'));

  const proxies: ChildProcess[] = [];
  return {
    path,
    address,
    host,
    enter,
    publish(port) {
      const [command = '', ...args] = enter;
      const forwarded = [`TCP-LISTEN:${port},bind=${address},fork,reuseaddr`, `TCP:127.0.0.1:${port}`];
      proxies.push(spawn(command, [...args, 'socat', ...forwarded], { stdio: 'ignore' }));
    },
    async remove() {
      for (const proxy of proxies) {
        const ended = once(proxy, 'exit');
        proxy.kill();
        await ended;
      }
      await nat('-D');
      await ip(`netns delete ${name}`);
    },
  };
}
