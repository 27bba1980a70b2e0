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
  /** A link to the folder of the current release, which is like the project's, with builds of its own. */
  readonly root: string;
  /** Makes a release current that runs this code first. */
  install(code: string): void;
  /** Makes such a build the current one of the current release. */
  rebuild(code: string): void;
  remove(): void;
}

/** A copy of the built project, of which a test can install other releases and builds while it runs. */
export function installRelease(): InstalledRelease {
  execFileSync(process.execPath, [join(ROOT, 'server', 'launch', 'build.mjs'), '--pages'], { cwd: ROOT });
  const built = realpathSync(join(BUILDS, 'server'));
  const home = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-release-`));
  const root = join(home, 'current');
  let count = 0;

  function buildIn(release: string, code: string): void {
    count += 1;
    const builds = join(release, '.build');
    const folder = join(builds, `server-${count}`);
    cpSync(built, folder, { recursive: true });
    writeFileSync(join(folder, 'main.js'), `${code}\n${readFileSync(join(built, 'main.js'), 'utf8')}`);
    symlinkSync(join(BUILDS, basename(built).replace('server-', 'pages-')), join(builds, `pages-${count}`));
    link(basename(folder), join(builds, 'server'));
  }
  function install(code: string): void {
    const release = mkdtempSync(join(home, 'release-'));
    mkdirSync(join(release, '.build'));
    for (const name of readdirSync(ROOT)) {
      if (name !== '.build') symlinkSync(join(ROOT, name), join(release, name));
    }
    buildIn(release, code);
    link(release, root);
  }
  install('');
  return {
    root,
    install,
    rebuild: (code) => buildIn(root, code),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Creates or replaces a link, at once. */
function link(target: string, path: string): void {
  symlinkSync(target, `${path}.next`);
  renameSync(`${path}.next`, path);
}
