import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { peakMemoryDuring } from './process-usage.ts';
import type { ServerProcess } from './server-process.ts';

export interface CommandRun {
  /** From the start of the process to its end. */
  readonly seconds: number;
  readonly peakBytes: number;
}

const MAX_SECONDS = 240;
/** As in the script of package.json. */
const FLAGS = ['--max-semi-space-size=4'];
const MAX_OUTPUT = 2_000;

/**
 * Runs `npm run <name>` of a server's checkout on that server's data.
 * @param env added to the server's environment
 * @throws {Error} with the end of its output, when its exit status is not 0 or it takes longer than `maxSeconds`.
 */
export async function runCommand(
  server: ServerProcess,
  name: string,
  {
    env = {},
    args = [],
    maxSeconds = MAX_SECONDS,
    signal,
  }: { env?: Record<string, string>; args?: readonly string[]; maxSeconds?: number; signal: AbortSignal },
): Promise<CommandRun> {
  const begun = performance.now();
  const timeout = AbortSignal.timeout(maxSeconds * 1000);
  const child = spawn(process.execPath, [...FLAGS, join('server', 'run.mjs'), name, ...args], {
    cwd: server.checkout,
    env: { ...server.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([signal, timeout]),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-MAX_OUTPUT);
    });
  }
  try {
    const { result, peakBytes } = await peakMemoryDuring(child.pid ?? 0, once(child, 'close'));
    const [code] = result;
    if (code !== 0) throw new Error(`The command ${name} ended with status ${code}:\n${output.trim()}`);
    return { seconds: (performance.now() - begun) / 1000, peakBytes };
  } catch (error) {
    throw timeout.aborted ? new Error(`The command ${name} was stopped after ${maxSeconds} seconds.`) : error;
  }
}
