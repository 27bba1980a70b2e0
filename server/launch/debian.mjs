import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Installs a Debian package if running as root on Debian. Returns whether it is installed. */
export function installFromDebian(name) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  console.log(`Installing ${name} (apt-get) …`);
  // With RUNLEVEL=1 the package does not start its service.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const aptGet = (...args) => spawnSync('apt-get', ['-qq', ...args], { env, stdio: 'ignore', timeout: 600_000 });
  aptGet('update');
  return aptGet('install', '-y', '--no-install-recommends', name).status === 0;
}
