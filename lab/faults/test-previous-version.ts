import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'rolldown';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CHILD = 'lab/faults/api.child.ts';
const CACHE = join(ROOT, 'node_modules', '.cache', 'perpetua');

/**
 * The last released commit, whose processes may serve beside those of this version during an update. After a release, set it
 * to the released commit. It uses the packages of this checkout.
 */
const PREVIOUS = 'dd852b5';

/** Builds {@link CHILD} of this checkout. @returns the program */
export const buildThisVersion = (): Promise<string> => buildChild(ROOT, join(CACHE, `api-${process.pid}`));

/** Takes the previous version from the history and builds the same program of it. @returns the program */
export async function buildPreviousVersion(): Promise<string> {
  const source = join(CACHE, `previous-${PREVIOUS}`, `source-${process.pid}`);
  await rm(source, { recursive: true, force: true });
  await mkdir(source, { recursive: true });
  const archive = join(source, 'source.tar');
  await run('git', ['archive', '--output', archive, PREVIOUS, 'server', 'protocol', 'messages', 'package.json'], {
    cwd: ROOT,
  }).catch((error: { stderr?: string }) => {
    throw new Error(
      `The previous version is commit ${PREVIOUS}, which this checkout does not have: clone the repository with its history, or run "git fetch --unshallow" (${error.stderr?.trim()}).`,
    );
  });
  await run('tar', ['-xf', archive, '-C', source]);
  const child = join(source, CHILD);
  await mkdir(dirname(child), { recursive: true });
  // The previous version has this module in another folder.
  const program = (await readFile(join(ROOT, CHILD), 'utf8')).replace(
    'server/processes/service.ts',
    'server/service.ts',
  );
  await writeFile(child, program);
  try {
    return await buildChild(source, join(CACHE, `previous-${process.pid}`));
  } finally {
    await rm(source, { recursive: true, force: true });
  }
}

/** Beside the packages of this checkout, which the program imports. */
async function buildChild(root: string, output: string): Promise<string> {
  const draft = `${output}.new`;
  await build({
    cwd: root,
    input: { api: CHILD },
    platform: 'node',
    external: /^[^./#]/,
    tsconfig: false,
    output: { dir: draft, format: 'esm' },
  });
  await rm(output, { recursive: true, force: true });
  await mkdir(dirname(output), { recursive: true });
  await rename(draft, output);
  return join(output, 'api.js');
}
