import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { createServer, type Server } from 'node:http';
import type { Config } from '../../server/config.ts';
import { readRunningFile, runningProcess } from '../../server/platform/data-folder/running-file.ts';
import { isLoopback, listenAddress } from '../../server/platform/listening/listen-address.ts';
import { type Check, type Finding, failure, reasonOf, warning } from './check.ts';

const TIMEOUT_MS = 10_000;

const isRunning = ({ DATA_DIR }: Config): string | null => {
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

/** An address for documentation (RFC 5737), as a client could write it into the header. */
const FORGED = '192.0.2.77';

/**
 * Listens in place of the service and sends a request with a forged X-Forwarded-For to PUBLIC_URL: what arrives shows how
 * many proxies append to it.
 * @param inContainer whether the port may be reachable from inside a container only
 */
export const proxyHeaders = (inContainer: boolean): Check => ({
  name: 'TRUST_PROXY',
  skips: (config) =>
    !config.PUBLIC_URL ? 'PUBLIC_URL is not set' : config.TLS_CERT_FILE ? 'TLS_CERT_FILE is set' : isRunning(config),
  async run(config) {
    const path = `/doctor-${randomBytes(16).toString('hex')}`;
    let arrived: string | null = null;
    const server = await listen(config, (url, forwarded) => {
      if (url === path) arrived = forwarded;
    });
    try {
      const sent = await fetch(`${config.PUBLIC_URL}${path}`, {
        headers: { 'x-forwarded-for': FORGED },
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }).catch((error: unknown) => error as Error);
      if (arrived !== null) return proxyProblems(config.TRUST_PROXY, arrived);
      const reason = sent instanceof Error ? reasonOf(sent) : `status ${sent.status}`;
      if (inContainer) return [unreached(config.PORT, reason)];
      const remedy = `Let the proxy send all paths to port ${config.PORT}, and open the firewall.`;
      return [failure(`A request to PUBLIC_URL does not arrive at this machine (${reason}).`, remedy)];
    } finally {
      await server.close();
    }
  },
});

/** Containers set this variable (systemd.io/CONTAINER_INTERFACE). */
export const trustProxy = proxyHeaders(process.env.container !== undefined);

const unreached = (port: number, reason: string): Finding =>
  warning(
    `A request to PUBLIC_URL does not arrive in this container (${reason}), so TRUST_PROXY was not compared with its headers.`,
    `If the service is running, ignore this warning. If not, publish port ${port} of this container, and run the doctor again.`,
  );

/** @param forwarded X-Forwarded-For as it arrived, '' if there was none */
export function proxyProblems(trusted: number, forwarded: string): Finding[] {
  const hops = forwarded.split(',').filter((entry) => entry.trim() !== '' && entry.trim() !== FORGED).length;
  if (hops === trusted) return [];
  const problem = `TRUST_PROXY is ${trusted}, but ${hops} ${hops === 1 ? 'proxy appends' : 'proxies append'} to X-Forwarded-For.`;
  if (hops < trusted) {
    const remedy = `Set TRUST_PROXY to ${hops}, or let the proxies append: with ${trusted}, a client can choose its own address.`;
    return [failure(problem, remedy)];
  }
  return [warning(problem, `Set TRUST_PROXY to ${hops}: otherwise a proxy's address counts as the client's.`)];
}

async function listen(config: Config, onRequest: (url: string, forwarded: string) => void) {
  const server: Server = createServer((request, response) => {
    onRequest(request.url ?? '', [request.headers['x-forwarded-for'] ?? ''].flat().join(','));
    response.setHeader('connection', 'close').end();
  });
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
