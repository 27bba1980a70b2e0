import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Installs a Debian package where that is possible, as root on Debian; says whether it is there now. */
export function installFromDebian(name) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  console.log(`Installing ${name} (apt-get) …`);
  // RUNLEVEL=1 keeps a package from starting a server of its own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const aptGet = (...args) => spawnSync('apt-get', ['-qq', ...args], { env, stdio: 'ignore', timeout: 600_000 });
  aptGet('update');
  return aptGet('install', '-y', '--no-install-recommends', name).status === 0;
}
