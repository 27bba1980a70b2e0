import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Check, type Finding, failure, reasonOf, warning } from './check.ts';

const GIB = 1024 ** 3;
const LITTLE = 2 * GIB;
const TOO_LITTLE = 0.2 * GIB;

export const user: Check = {
  name: 'user',
  async run() {
    if (process.getuid?.() !== 0) return [];
    return [warning('The service would run as root, which it does not need.', 'Run it as a user of its own.')];
  },
};

export const dataDirectory: Check = {
  name: 'data directory',
  async run({ DATA_DIR }) {
    const existing = await nearestExisting(DATA_DIR);
    const writable = await access(existing, constants.W_OK).then(
      () => true,
      () => false,
    );
    const denied = writable
      ? []
      : [failure(`${existing} cannot be written.`, `Give it to the user of the service, or set DATA_DIR.`)];
    const space = await statfs(existing).catch((error: unknown) => error as Error);
    if (space instanceof Error)
      return [...denied, failure(`${existing} cannot be read (${reasonOf(space)}).`, 'Set DATA_DIR.')];
    return [...denied, ...spaceProblems(existing, space.bavail * space.bsize)];
  },
};

export function spaceProblems(
  path: string,
  bytes: number,
  remedy = 'Free space or move DATA_DIR: a full disk stops all writes.',
): Finding[] {
  if (bytes >= LITTLE) return [];
  const problem = `Only ${(bytes / GIB).toFixed(1)} GiB are free at ${path}.`;
  return [bytes < TOO_LITTLE ? failure(problem, remedy) : warning(problem, remedy)];
}

async function nearestExisting(path: string): Promise<string> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  return exists || path === dirname(path) ? path : nearestExisting(dirname(path));
}
