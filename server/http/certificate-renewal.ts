import type { Server } from 'node:https';
import type { Config } from '../config.ts';
import { expiryProblem, readTlsFiles, type TlsFiles } from '../platform/listening/tls-files.ts';

const EVERY_MS = 60_000;

interface RenewalParts {
  readonly config: Pick<Config, 'TLS_CERT_FILE' | 'TLS_KEY_FILE'>;
  /** The files that the server began with. */
  readonly tls: TlsFiles;
  readonly log: { info(message: string): void; warn(message: string): void };
  readonly everyMs?: number;
}

/**
 * Gives new connections the certificate that is in the files, at most a minute after it was renewed. The files are read
 * and not watched: renewals replace links to them, and write one file after the other.
 * @returns a function that ends it
 */
export function followRenewals(server: Server, { config, tls, log, everyMs = EVERY_MS }: RenewalParts): () => void {
  let used = tls;
  let problem: string | null = null;

  function read(): string | null {
    try {
      const found = readTlsFiles(config);
      if (found && (found.cert !== used.cert || found.key !== used.key)) {
        server.setSecureContext(found);
        used = found;
        log.info('new connections use the renewed certificate');
      }
    } catch (error) {
      return `${(error as Error).message} The previous certificate stays in use.`;
    }
    return expiryProblem(used, Date.now());
  }
  function check(): void {
    const before = problem;
    problem = read();
    if (problem !== null && problem !== before) log.warn(problem);
  }
  check();
  const timer = setInterval(check, everyMs).unref();
  return () => clearInterval(timer);
}
