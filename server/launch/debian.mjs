import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Installs Debian packages if running as root on Debian. Returns whether they are installed. */
export function installFromDebian(...names) {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return false;
  console.log(`Installing ${names.join(', ')} (apt-get) …`);
  // With RUNLEVEL=1 a package does not start its service.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const aptGet = (...args) => spawnSync('apt-get', ['-qq', ...args], { env, stdio: 'ignore', timeout: 600_000 });
  aptGet('update');
  return aptGet('install', '-y', '--no-install-recommends', ...names).status === 0;
}

/** Finds a program, or installs Debian's package as root. If neither works, `advice` is the message to print. */
export function ensure(find, packageName, advice) {
  const path = find() ?? (installFromDebian(packageName) ? find() : null);
  return path ? { path, advice: null } : { path: null, advice };
}

/**
 * Installs those of the Debian packages that are missing.
 * @throws {Error} one sentence, if that is not possible
 */
export function requirePackages(...names) {
  const missing = () => names.filter((name) => !isInstalled(name));
  const wanted = missing();
  if (wanted.length === 0 || (installFromDebian(...wanted) && missing().length === 0)) return;
  throw new Error(
    `The Debian packages ${missing().join(', ')} are missing, and could not be installed: run this as root on Debian, where apt-get has them.`,
  );
}

const isInstalled = (name) =>
  spawnSync('dpkg', ['--status', name], { encoding: 'utf8' }).stdout?.includes('\nStatus: install ok installed\n') ??
  false;
