import type { Server } from 'node:net';
import { type Config, ConfigError } from '../../config.ts';

const LOOPBACK = '127.0.0.1';

/**
 * The address to listen on: HOST; else every interface (`host` undefined) if PUBLIC_URL is not a loopback address; else
 * loopback.
 */
export function listenAddress({ HOST, PUBLIC_URL }: Pick<Config, 'HOST' | 'PUBLIC_URL'>): {
  readonly host: string | undefined;
  readonly sentence: string;
} {
  if (HOST) return { host: HOST, sentence: `It listens on ${HOST}, as set by HOST.` };
  if (PUBLIC_URL && !isLoopback(new URL(PUBLIC_URL).hostname)) {
    return {
      host: undefined,
      sentence: 'It listens on every interface, because PUBLIC_URL is set; set HOST to restrict it.',
    };
  }
  const sentence = `It listens on ${LOOPBACK} only; set HOST or PUBLIC_URL to make it reachable from other machines.`;
  return { host: LOOPBACK, sentence };
}

/** The address of the service on this machine. */
export const localUrl = ({ TLS_CERT_FILE }: Pick<Config, 'TLS_CERT_FILE'>, port: number): string =>
  `${TLS_CERT_FILE ? 'https' : 'http'}://localhost:${port}`;

/** Of a host in a URL, or of an address. */
export const isLoopback = (hostname: string): boolean =>
  /^(.+\.)?localhost$|^127\.[\d.]+$|^(\[::1\]|::1)$/.test(hostname);

/** Listens on PORT. @throws {ConfigError} if that is not possible */
export function listen(server: Pick<Server, 'once' | 'listen'>, port: number, host: string | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = ({ code }: NodeJS.ErrnoException) => reject(new ConfigError(listenProblem(code, port, host)));
    server.once('error', failed).listen(port, host, resolve);
  });
}

function listenProblem(code: string | undefined, port: number, host: string | undefined): string {
  if (code === 'EADDRINUSE') return `Port ${port} is taken; set PORT to another one.`;
  if (code === 'EACCES' || code === 'EPERM') {
    return `The user of the service may not listen on port ${port} (${code}); set PORT to one above 1023, or allow it this port (docs/deployment.md).`;
  }
  return `The service cannot listen on port ${port} of ${host ?? 'every interface'} (${code}); set HOST to an address of this machine.`;
}
