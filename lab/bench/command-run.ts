import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { launcher, type ServerProcess } from './server-process.ts';
import type { Session } from './session.ts';

const MAX_SECONDS = 600;
/** As in the scripts of package.json. */
const FLAGS = ['--max-semi-space-size=4'];
const MAX_OUTPUT = 2_000;

/**
 * Runs `npm run verify` or `restore` of a server's checkout on that server's data.
 * @returns the seconds that it took
 * @param env added to the server's environment
 * @throws {Error} with the end of its output, when its exit status is not 0 or it takes longer than ten minutes.
 */
export async function runCommand(
  { interrupted }: Pick<Session, 'interrupted'>,
  server: ServerProcess,
  name: string,
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, [...FLAGS, launcher(server.checkout, name), name], {
    cwd: server.checkout,
    env: { ...server.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([interrupted, AbortSignal.timeout(MAX_SECONDS * 1000)]),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-MAX_OUTPUT);
    });
  }
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The command ${name} ended with status ${code}:\n${output.trim()}`);
  return (performance.now() - begun) / 1000;
}
