import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { residentMemory } from './process-facts.ts';

export interface CommandRun {
  /** The whole life of the process. */
  readonly seconds: number;
  readonly peakBytes: number;
}

const LOOK_MS = 100;
const OUTPUT_SHOWN = 2_000;

/**
 * Runs a command of the service (`npm run <name>`) as a process of its own.
 * @throws {Error} with the end of what it said, when its exit status is not 0 or it takes longer.
 */
export async function runCommandProcess(
  name: string,
  env: NodeJS.ProcessEnv,
  { maxSeconds, signal }: { maxSeconds: number; signal: AbortSignal },
): Promise<CommandRun> {
  const begun = performance.now();
  const late = AbortSignal.timeout(maxSeconds * 1000);
  const child = spawn(process.execPath, [join('server', 'run.mjs'), name], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([signal, late]),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-OUTPUT_SHOWN);
    });
  }
  let peakBytes = 0;
  let running = true;
  const watching = watchMemory(
    child.pid ?? 0,
    () => running,
    (peak) => {
      peakBytes = Math.max(peakBytes, peak);
    },
  );
  try {
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`The command ${name} ended with ${code}:\n${output.trim()}`);
    return { seconds: (performance.now() - begun) / 1000, peakBytes };
  } catch (error) {
    throw late.aborted ? new Error(`The command ${name} was stopped after ${maxSeconds} seconds.`) : error;
  } finally {
    running = false;
    await watching;
  }
}

async function watchMemory(pid: number, goesOn: () => boolean, seen: (peakBytes: number) => void): Promise<void> {
  while (goesOn()) {
    const memory = await residentMemory(pid).catch(() => null);
    if (memory) seen(memory.peak);
    await sleep(LOOK_MS);
  }
}
