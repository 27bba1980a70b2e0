import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BUILDS = join(ROOT, '.build');

export interface InstalledRelease {
  /** A folder like the project's, with builds of its own. */
  readonly root: string;
  /** Makes a build current that runs this code first. */
  install(code: string): void;
  remove(): void;
}

/** A copy of the built project, of which a test can install other releases while it runs. */
export function installRelease(): InstalledRelease {
  execFileSync(process.execPath, [join(ROOT, 'server', 'build.mjs'), '--pages'], { cwd: ROOT });
  const built = realpathSync(join(BUILDS, 'server'));
  const root = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-release-`));
  const builds = join(root, '.build');
  mkdirSync(builds);
  for (const name of readdirSync(ROOT)) {
    if (name !== '.build') symlinkSync(join(ROOT, name), join(root, name));
  }
  let count = 0;

  function install(code: string): void {
    count += 1;
    const folder = join(builds, `server-${count}`);
    cpSync(built, folder, { recursive: true });
    writeFileSync(join(folder, 'main.js'), `${code}\n${readFileSync(join(built, 'main.js'), 'utf8')}`);
    symlinkSync(join(BUILDS, basename(built).replace('server-', 'pages-')), join(builds, `pages-${count}`));
    symlinkSync(basename(folder), join(builds, 'next'));
    renameSync(join(builds, 'next'), join(builds, 'server'));
  }
  install('');
  return { root, install, remove: () => rmSync(root, { recursive: true, force: true }) };
}
