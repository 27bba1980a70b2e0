import { isatty } from 'node:tty';

const STDIN = 0;

/** SIGHUP reloads, unless it reports that the terminal of this process was closed. */
export function onHangup({ reload, stop }: { readonly reload: () => void; readonly stop: () => void }): void {
  const hasTerminal = isatty(STDIN);
  process.on('SIGHUP', () => (hasTerminal && !isatty(STDIN) ? stop() : reload()));
}
