import type { Config } from './config.ts';

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

const isLoopback = (hostname: string): boolean => /^(.+\.)?localhost$|^127\.[\d.]+$|^\[::1\]$/.test(hostname);
