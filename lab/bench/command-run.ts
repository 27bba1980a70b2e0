import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { makeFinal } from './api.ts';
import { launcher, type ServerProcess } from './server-process.ts';
import type { Measurement, Session } from './session.ts';

const MAX_SECONDS = 600;
/** As in the scripts of package.json. */
const FLAGS = ['--max-semi-space-size=4'];
const MAX_OUTPUT = 2_000;

/**
 * Runs `npm run verify` or `restore` of a server's checkout on that server's data, all of which is final first.
 * @param env added to the server's environment
 * @returns the entries per second, including the start of the process
 * @throws {Error} with the end of its output, when its exit status is not 0 or it takes longer than ten minutes.
 */
export async function measureCommand(
  { interrupted, log }: Session,
  server: ServerProcess,
  name: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Measurement> {
  const { seq } = (await makeFinal(server.url)).head;
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
  const seconds = (performance.now() - begun) / 1000;
  log(`${name}: ${seq} entries in ${seconds.toFixed(1)} s`);
  return { requests: seq, seconds, perSecond: seq / seconds, processorMs: null };
}
