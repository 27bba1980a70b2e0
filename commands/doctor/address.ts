import { lookup } from 'node:dns/promises';
import { createServer, type RequestListener } from 'node:http';
import type { Config } from '../../server/config.ts';
import { readRunningFile, runningProcess } from '../../server/platform/data-folder/running-file.ts';
import { isLoopback, listenAddress } from '../../server/platform/listening/listen-address.ts';
import { type Check, type Finding, failure, reasonOf, warning } from './check.ts';

export const isRunning = ({ DATA_DIR }: Config): string | null => {
  const running = readRunningFile(DATA_DIR);
  return running ? `the service is running (${runningProcess(DATA_DIR, running)})` : null;
};

export const port: Check = {
  name: 'port',
  skips: isRunning,
  async run(config) {
    try {
      await (await listen(config, () => undefined)).close();
      return [];
    } catch (error) {
      const where = `port ${config.PORT}${config.HOST ? ` of ${config.HOST}` : ''}`;
      return [failure(`The service cannot listen on ${where} (${reasonOf(error)}).`, 'Set PORT or HOST to free ones.')];
    }
  },
};

export const publicUrl: Check = {
  name: 'public address',
  skips: ({ PUBLIC_URL }) => (PUBLIC_URL ? null : 'PUBLIC_URL is not set, and links lead to this machine'),
  async run({ PUBLIC_URL = '', TRUST_PROXY, TLS_CERT_FILE }) {
    const { hostname, protocol } = new URL(PUBLIC_URL);
    const host = hostname.replace(/^\[|\]$/g, '');
    const resolved = await lookup(host).catch((error: unknown) => error as Error);
    if (resolved instanceof Error) {
      const remedy = 'Add the DNS record, or correct PUBLIC_URL.';
      return [failure(`The name ${host} in PUBLIC_URL does not resolve (${reasonOf(resolved)}).`, remedy)];
    }
    const isLocal = resolved.address === '::1' || resolved.address.startsWith('127.');
    if (protocol === 'http:' && !isLocal) {
      const remedy = 'Use https://, with a proxy in front (docs/deployment.md).';
      return [warning('PUBLIC_URL begins with http://, so links with secrets are sent in plain text.', remedy)];
    }
    if (protocol === 'https:' && TRUST_PROXY === 0 && !TLS_CERT_FILE) return [untrusted()];
    return [];
  },
};

const untrusted = (): Finding =>
  warning(
    'PUBLIC_URL begins with https://, but TRUST_PROXY is 0, so all people share the rate limits of the proxy’s address.',
    'Set TRUST_PROXY to the number of proxies in front of the service.',
  );

/** With TRUST_PROXY, whoever reaches the port without the proxy can write any client address into a header. */
export const directConnections: Check = {
  name: 'direct connections',
  skips: ({ TRUST_PROXY }) => (TRUST_PROXY > 0 ? null : 'TRUST_PROXY is 0'),
  async run(config) {
    const { host } = listenAddress(config);
    if (host !== undefined && isLoopback(host)) return [];
    return [
      warning(
        `With TRUST_PROXY the service believes the header of the proxy, but it listens on ${host ?? 'every interface'}: whoever connects to port ${config.PORT} directly can forge a client address.`,
        'Set HOST=127.0.0.1 if the proxy is on this machine; otherwise let only the proxy connect, by a firewall or a network of containers.',
      ),
    ];
  },
};

/** Listens in place of the service. @throws system errors */
export async function listen(config: Config, answer: RequestListener): Promise<{ close(): Promise<void> }> {
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(config.PORT, listenAddress(config).host, resolve);
  });
  return {
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
