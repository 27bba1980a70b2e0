import type { Logger } from 'pino';
import { limitNames, NETWORK_FACTORS } from '../../settings/client-address.ts';

/** The client's address, and the id in the response. */
export interface EventOrigin {
  readonly address: string;
  readonly requestId: string;
  /** The route pattern, never the path: links are secrets. */
  readonly route: string;
}

export interface SecurityEvents {
  /** Logs a refusal that matters to an operator; ignores other codes. */
  refused(code: string, origin: EventOrigin): void;
  /** Logs how many events of the current minute were omitted. */
  close(): void;
}

/** Invalid keys, invalid links, limits reached, altered data. */
const LOGGED: ReadonlySet<string> = new Set([
  'INSTITUTE_KEY_INVALID',
  'INTEGRITY_FAILED',
  'INVALID_SIGNATURE',
  'LINK_NOT_FOUND',
  'LINK_EXPIRED',
  'LINK_USED',
  'LINK_GONE',
  'PASSCODE_INVALID',
  'RATE_LIMITED',
  'TOO_MANY_CONNECTIONS',
]);

const WINDOW_MS = 60_000;
/** Each code has its own quota, so that flooding one code cannot hide another. */
const LINES_PER_CODE = 30;
const LINES_PER_ADDRESS = 3;

/**
 * Logs security events at level warn: per minute at most 30 lines per code and 3 per address (IPv6: /64). Events beyond
 * that are counted, and the counts are logged at the end of the minute.
 */
export function createSecurityEvents(log: Logger, now: () => number = Date.now): SecurityEvents {
  const written = new Map<string, number>();
  const omitted = new Map<string, number>();
  let windowEnds = 0;

  function closeWindow(): void {
    if (omitted.size > 0) log.warn({ omitted: Object.fromEntries(omitted) }, 'security events left out of the log');
    written.clear();
    omitted.clear();
  }

  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);

  return {
    refused(code, { address, requestId, route }) {
      if (!LOGGED.has(code)) return;
      const at = now();
      if (at >= windowEnds) {
        closeWindow();
        windowEnds = at + WINDOW_MS;
      }
      const names = limitNames(address).map((name) => `${code} ${name}`);
      const isOver = (name: string, index: number) =>
        (written.get(name) ?? 0) >= LINES_PER_ADDRESS * (NETWORK_FACTORS[index] ?? 1);
      if ((written.get(code) ?? 0) >= LINES_PER_CODE || names.some(isOver)) return void count(omitted, code);
      for (const name of [code, ...names]) count(written, name);
      log.warn({ event: code, address, requestId, route }, 'security event');
    },
    close: closeWindow,
  };
}
