import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { EmbeddedPostgresError } from './error.ts';

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
 * The system user `perpetua`, created if missing: PostgreSQL refuses to run as root. Call only as root.
 * @throws {EmbeddedPostgresError} if the user cannot be created
 */
export async function systemAccount(): Promise<Account> {
  const existing = await findAccount();
  if (existing) return existing;
  const failure = await run('useradd', USERADD_OPTIONS).then(
    () => undefined,
    (error: NodeJS.ErrnoException & { stderr?: string }) => error.stderr?.trim() || error.message,
  );
  const created = await findAccount();
  if (created) return created;
  throw new EmbeddedPostgresError(
    `PostgreSQL does not run as root, and the system user "${NAME}" could not be created (${failure}); run Perpetua as an ordinary user, or set DATABASE_URL.`,
  );
}

const USERADD_OPTIONS = [
  '--system',
  '--user-group',
  '--no-create-home',
  `--home-dir=${SYSTEM_HOME}`,
  '--shell=/bin/false',
  NAME,
];

async function findAccount(): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', NAME]), run('id', ['-g', NAME])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}
