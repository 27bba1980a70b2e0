import { ensure } from './debian.mjs';
import { findProgram } from './program.mjs';

const ADVICE =
  'The tests of the start need pgbouncer on the PATH: install it, for example with `apt-get install pgbouncer`.';

/** Finds PgBouncer, or installs Debian's as root. */
export const ensurePgbouncer = () => ensure(() => findProgram(['pgbouncer']), 'pgbouncer', ADVICE);
