import { hash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { testWallet } from '../../../server/network/test-wallet.ts';
import type { Child } from '../../chaos/child.ts';
import { deployFile, filledIn, install, makeFolder, variablesOf } from './deploy-files.ts';
import type { Host } from './host-network.ts';

const PROGRAMS = fileURLToPath(new URL('../../../.build/server', import.meta.url));
/** Any user without rights. */
const USER = 'nobody';
const DATA = '/run/perpetua';

/** A host with the service and HAProxy. */
export interface ServiceHost {
  readonly host: Host;
  readonly proxy: Child;
  /** Starts what does not run, and waits until the service is ready. */
  start(): Promise<void>;
  /** The body of its /ready, asked directly; null without an answer. */
  ready(): Promise<Readonly<Record<string, { readonly ok?: boolean; readonly problem?: string }>> | null>;
  /** Runs a command of the operator with the settings of the service. Returns its output. */
  command(name: string, ...args: readonly string[]): Promise<string>;
}

export interface SharedSettings {
  readonly databasePassword: string;
  readonly limitsPassword: string;
  readonly gatewayUrl: string;
}

export interface ServiceHosts {
  readonly all: readonly ServiceHost[];
  /** The relayer's seed, in hex. */
  readonly relayerKey: string;
  /** The keys of the institute. */
  readonly instituteKeys: readonly string[];
}

/** Hosts with the files of deploy/cluster, which share one ledger. None is started yet. */
export async function createServiceHosts(hosts: readonly Host[], shared: SharedSettings): Promise<ServiceHosts> {
  if (!existsSync(PROGRAMS))
    throw new Error('The service is not built: run npm run test:deployments, or npm run build.');
  const instituteKeys = Array.from({ length: 3 }, () => randomBytes(24).toString('base64url'));
  const secret = () => randomBytes(32).toString('hex');
  const files: Record<string, string> = {
    'relayer.key': secret(),
    'checkpoint.key': secret(),
    'webhook.key': secret(),
    'wallet.json': JSON.stringify(await testWallet()),
  };
  const words = {
    DATABASE_PASSWORD: shared.databasePassword,
    LIMITS_PASSWORD: shared.limitsPassword,
    'https://your-gateway.example': shared.gatewayUrl,
    '64 hex characters': secret(),
    'three digests, separated by commas': instituteKeys.map((key) => hash('sha256', key)).join(','),
  };
  const template = deployFile('cluster/perpetua.env.example');
  const [first, second] = hosts.map(({ name }) => `${name}.internal:5000`);
  const all = hosts.map((host, index) => {
    const own = index === 0 ? {} : { [`${first},${second}`]: `${second},${first}` };
    for (const [name, content] of Object.entries(files)) install(host, `/run/secrets/${name}`, content, USER);
    return createServiceHost(host, variablesOf(filledIn(template, { ...words, ...own })), shared.limitsPassword);
  });
  return { all, relayerKey: files['relayer.key'] ?? '', instituteKeys };
}

function createServiceHost(host: Host, settings: Record<string, string>, limitsPassword: string): ServiceHost {
  const haproxy = filledIn(deployFile('cluster/haproxy.cfg'), { LIMITS_PASSWORD: limitsPassword });
  install(host, '/etc/haproxy/haproxy.cfg', haproxy);
  makeFolder(host, DATA, USER);
  const env = { NODE_ENV: 'production', ...settings, DATA_DIR: DATA, BUNDLE_MAX_AGE_MS: '1000' };
  const proxy = host.program({
    ...{ name: 'haproxy', user: 'root', command: ['haproxy', '-db', '-f', '/etc/haproxy/haproxy.cfg'] },
  });
  const service = host.program({
    ...{ name: 'perpetua', user: USER, command: [process.execPath, `${PROGRAMS}/main.js`], env },
  });

  async function ready() {
    return fetch(`http://${host.address}:3000/ready`, { signal: AbortSignal.timeout(5_000) }).then(
      async (response) => (await response.json()) as Record<string, { ok?: boolean; problem?: string }>,
      () => null,
    );
  }
  return {
    host,
    proxy,
    async start() {
      await proxy.start();
      for (;;) {
        // As systemd does: it ends at once while the database is not reachable.
        await service.start();
        const parts = await ready();
        if (parts?.database?.ok && parts.ledger?.ok && parts.limiter?.ok) return;
        await sleep(250);
      }
    },
    ready,
    command: (name, ...args) =>
      host.run(
        USER,
        ...['env', ...Object.entries(env).map(([key, value]) => `${key}=${value}`)],
        ...[process.execPath, `${PROGRAMS}/${name}.js`, ...args],
      ),
  };
}
