import { installFromDebian } from './debian.mjs';
import { findProgram } from './program.mjs';

const NAMES = ['pgbouncer'];
const ADVICE =
  'The tests of the start need pgbouncer on the PATH: install it, for example with `apt-get install pgbouncer`.';

/** Finds PgBouncer, or installs Debian's as root. If neither works, `advice` is the message to print. */
export function ensurePgbouncer() {
  const path = findProgram(NAMES) ?? (installFromDebian('pgbouncer') ? findProgram(NAMES) : null);
  return path ? { path, advice: null } : { path: null, advice: ADVICE };
}
