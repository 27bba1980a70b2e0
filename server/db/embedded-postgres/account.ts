import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The user and group that own a cluster and run its server. */
export type Account = { uid: number; gid: number };

export const SYSTEM_HOME = '/var/lib/perpetua';
const NAME = 'perpetua';

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

export function ownAccount(): Account {
  return { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 };
}

/**
 * The system user `perpetua`, made if it is missing: PostgreSQL refuses to run as root. Only for root.
 * @throws {Error} one sentence, when this system offers no way to make it.
 */
export async function systemAccount(): Promise<Account> {
  const existing = await lookUp();
  if (existing) return existing;
  const failures: string[] = [];
  for (const [command, ...args] of WAYS_TO_CREATE) {
    await run(command, args).catch((error: NodeJS.ErrnoException & { stderr?: string }) => {
      if (error.code !== 'ENOENT') failures.push(`${command}: ${error.stderr?.trim() || error.message}`);
    });
    const created = (await lookUp()) ?? (await sleep(200, undefined).then(lookUp));
    if (created) return created;
  }
  const reason = failures.join('; ') || 'neither useradd nor adduser is installed';
  throw new Error(`PostgreSQL does not run as root, and the system user "${NAME}" could not be made (${reason}).`);
}

const WAYS_TO_CREATE: [command: string, ...args: string[]][] = [
  ['useradd', '--system', '--user-group', '--no-create-home', '--home-dir', SYSTEM_HOME, '--shell', '/bin/false', NAME],
  ['addgroup', '-S', NAME],
  ['adduser', '-S', '-D', '-H', '-h', SYSTEM_HOME, '-s', '/bin/false', '-G', NAME, NAME],
];

async function lookUp(): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', NAME]), run('id', ['-g', NAME])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}
