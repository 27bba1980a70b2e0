import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './command.mjs';

/**
 * Whether node_modules holds what package-lock.json asks for. npm writes down at the end of every install what it put
 * there, so this is true after any complete install, whoever ran it, and false after one that was interrupted.
 * @param {string} root the project folder
 * @param {{ development: boolean }} options whether packages that only tests need are missed
 */
export function isInstalled(root, { development }) {
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (!wanted) throw new Error('package-lock.json is missing or damaged; take it from the repository again.');
  if (!installed) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    const found = installed[path];
    if (found) return found.version === entry.version && found.integrity === entry.integrity;
    return path === '' || entry.optional || entry.devOptional || (entry.dev && !development);
  });
}

/**
 * Installs exactly what package-lock.json says.
 * @param {string} root
 * @throws {Error} one sentence, with npm's own words below it
 */
export async function install(root) {
  await npmCi(root, '--include=dev').catch((error) => {
    throw new Error(`The packages could not be installed, because "npm ci" failed:\n${error.message}`);
  });
}

/**
 * Whether "npm ci" would accept package-lock.json. npm leaves out of it, without a word, the packages for other
 * platforms that the registry did not have at the time, and then refuses what it wrote itself.
 * @param {string} root
 * @throws {Error} one sentence, with npm's own words below it
 */
export async function checkLockfile(root) {
  await npmCi(root, '--dry-run', '--offline').catch((error) => {
    throw new Error(`package-lock.json is not one that "npm ci" accepts:\n${error.message}`);
  });
}

async function npmCi(root, ...options) {
  const args = ['ci', ...options, '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const [command, ...before] = npm?.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm'];
  await runQuietly(command, [...before, ...args], { cwd: root });
}

/** @param {string} file */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
