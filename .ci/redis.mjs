import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['redis-server', 'valkey-server'];
const ADVICE =
  'The tests of the Redis limiter store need redis-server or valkey-server on the PATH: install one of them, for example with `apt-get install redis-server`.';

/** The path of a Redis or Valkey server, or null. */
export function findRedis() {
  for (const name of NAMES) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      if (folder && isExecutable(join(folder, name))) return join(folder, name);
    }
  }
  return null;
}

/** Finds a server, else installs Debian's as root; `advice` is the sentence to print where neither works. */
export function ensureRedis() {
  const path = findRedis() ?? (installFromDebian() ? findRedis() : null);
  return path ? { path, advice: null } : { path: null, advice: ADVICE };
}

// RUNLEVEL=1 keeps the package from starting a server of its own.
function installFromDebian() {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const aptGet = (...args) => spawnSync('apt-get', ['-qq', ...args], { env, stdio: 'ignore', timeout: 300_000 });
  aptGet('update');
  return aptGet('install', '-y', '--no-install-recommends', 'redis-server').status === 0;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
