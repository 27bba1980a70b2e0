import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { requirePackages } from '../../server/launch/debian.mjs';
import { exclusively } from '../../server/launch/exclusive.mjs';
import { findProgram } from '../../server/launch/program.mjs';
import { runProgram } from './run-program.ts';

const RELEASE = 'bookworm';
const CACHE = join(tmpdir(), 'perpetua-deployments');
const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';
/** What the machines and images of all deployments need, so that they share one root. */
const PACKAGES = [
  ...[
    'systemd',
    'systemd-sysv',
    'dbus',
    'iproute2',
    'procps',
    'ca-certificates',
    'openssl',
    'git',
    'curl',
    'libstdc++6',
  ],
  ...['postgresql', 'redis-server', 'prometheus'],
];

/**
 * The folder of a Debian 12 with {@link PACKAGES}, and with the Node and npm of this machine in /usr/bin. It is made once
 * and must not be changed: see {@link copyOnWrite}.
 */
export async function debianRoot(): Promise<string> {
  requirePackages('mmdebstrap');
  const key = createHash('sha256')
    .update([RELEASE, process.version, ...PACKAGES].join())
    .digest('hex')
    .slice(0, 12);
  const root = join(CACHE, `${RELEASE}-${key}`);
  const make = async () => {
    if (existsSync(root)) return;
    const draft = `${root}.new`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(CACHE, { recursive: true });
    await runProgram('mmdebstrap', [
      '--variant=apt',
      `--include=${PACKAGES.join(',')}`,
      // The archive of a machine without the newest updates may be a snapshot.
      '--aptopt=Acquire::Check-Valid-Until "false"',
      '--aptopt=Acquire::Check-Date "false"',
      '--dpkgopt=path-exclude=/usr/share/man/*',
      '--dpkgopt=path-exclude=/usr/share/doc/*',
      RELEASE,
      draft,
    ]);
    addNode(draft);
    renameSync(draft, root);
  };
  await exclusively(join(CACHE, 'lock'), make, () => undefined);
  return root;
}

/** Node and npm, which trusts the authorities that this machine trusts. */
function addNode(root: string): void {
  copyFileSync(process.execPath, join(root, 'usr/bin/node'));
  const npm = findProgram(['npm']);
  if (npm === null) throw new Error('npm is not on the PATH.');
  const folder = dirname(dirname(realpathSync(npm)));
  cpSync(folder, join(root, 'usr/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx']) {
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/bin', name));
  }
  if (!existsSync(AUTHORITIES)) return;
  copyFileSync(AUTHORITIES, join(root, AUTHORITIES));
  writeFileSync(join(root, 'root/.npmrc'), `cafile=${AUTHORITIES}\n`);
}

/** A folder with the content of another one, which changes do not reach. */
export async function copyOnWrite(source: string): Promise<{ readonly directory: string; remove(): Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-root-`));
  const [directory, upper, work] = ['root', 'upper', 'work'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [directory, upper, work]) mkdirSync(folder);
  const options = `lowerdir=${source},upperdir=${upper},workdir=${work}`;
  await runProgram('mount', ['-t', 'overlay', 'overlay', '-o', options, directory]);
  return {
    directory,
    async remove() {
      await runProgram('umount', [directory]);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
