import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runQuietly } from './command.mjs';

/**
 * Whether node_modules matches package-lock.json. npm writes its own list at the end of an install, so this is false
 * after an interrupted one.
 * @param {string} root the project folder
 * @param {{ development: boolean }} options whether packages that only tests need are required
 */
export function isInstalled(root, { development }) {
  const required = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  if (!required) throw new Error('package-lock.json is missing or damaged; restore it from the repository.');
  if (!installed) return false;
  return Object.entries(required).every(([path, entry]) => {
    const found = installed[path];
    if (found) return found.version === entry.version && found.integrity === entry.integrity;
    return path === '' || entry.optional || entry.devOptional || (entry.dev && !development);
  });
}

/**
 * Installs the exact versions of package-lock.json.
 * @param {string} root
 * @throws {Error} with npm's output
 */
export async function install(root) {
  await npmCi(root, '--include=dev').catch((error) => {
    throw new Error(`The packages could not be installed because "npm ci" failed:\n${error.message}`);
  });
}

/**
 * Checks that "npm ci" accepts package-lock.json. npm silently omits packages for other platforms that the registry does
 * not have, and later refuses its own file.
 * @param {string} root
 * @throws {Error} with npm's output
 */
export async function checkLockfile(root) {
  await npmCi(root, '--dry-run', '--offline').catch((error) => {
    throw new Error(`"npm ci" does not accept package-lock.json:\n${error.message}`);
  });
}

async function npmCi(root, ...options) {
  const args = ['ci', ...options, '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const [command, ...prefix] = npm?.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm'];
  await runQuietly(command, [...prefix, ...args], { cwd: root });
}

/** @param {string} file */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
