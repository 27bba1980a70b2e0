import { ensure } from './debian.mjs';
import { findProgram } from './program.mjs';

const NAMES = ['redis-server', 'valkey-server'];
const ADVICE =
  'The tests of the Redis limiter store need redis-server or valkey-server on the PATH: install one of them, for example with `apt-get install redis-server`.';

/** The path of a Redis or Valkey server, or null. */
export const findRedis = () => findProgram(NAMES);

/** Finds a server, or installs Debian's as root. */
export const ensureRedis = () => ensure(findRedis, 'redis-server', ADVICE);
