import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { peakMemoryDuring } from './process-usage.ts';
import { launcher, type ServerProcess } from './server-process.ts';

export interface CommandRun {
  /** From the start of the process to its end. */
  readonly seconds: number;
  readonly peakBytes: number;
}

const MAX_SECONDS = 240;
/** As in the scripts of package.json. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  verify: ['--max-semi-space-size=4'],
  restore: ['--max-semi-space-size=4'],
};
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
  const { child, output } = spawnCommand(server, name, { env, args, signal: AbortSignal.any([signal, timeout]) });
  try {
    const { result, peakBytes } = await peakMemoryDuring(child.pid ?? 0, once(child, 'close'));
    const [code] = result;
    if (code !== 0) throw new Error(`The command ${name} ended with status ${code}:\n${output()}`);
    return { seconds: (performance.now() - begun) / 1000, peakBytes };
  } catch (error) {
    throw timeout.aborted ? new Error(`The command ${name} was stopped after ${maxSeconds} seconds.`) : error;
  }
}

/** A command that runs until it is stopped. */
export interface RunningCommand {
  readonly pid: number;
  /** @throws {Error} with the end of its output, when it has ended by itself */
  stop(): Promise<void>;
}

const READY_SECONDS = 60;

/**
 * Starts `npm run <name>` of a server's checkout, and waits until it has printed `ready`.
 * @throws {Error} with the end of its output, when it ends before or takes too long
 */
export async function startCommand(
  server: ServerProcess,
  name: string,
  { ready, ...options }: CommandOptions & { readonly ready: string },
): Promise<RunningCommand> {
  const { child, output } = spawnCommand(server, name, options);
  // An interruption of the bench ends it with an error.
  const ended = once(child, 'close').catch(() => undefined);
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const deadline = performance.now() + READY_SECONDS * 1000;
  while (!output().includes(ready)) {
    if (!hasEnded() && performance.now() < deadline) await sleep(10);
    else {
      child.kill('SIGKILL');
      throw new Error(`The command ${name} did not start:\n${output()}`);
    }
  }
  return {
    pid: child.pid ?? 0,
    async stop() {
      if (hasEnded()) throw new Error(`The command ${name} has ended:\n${output()}`);
      child.kill('SIGTERM');
      await ended;
    },
  };
}

interface CommandOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
}

interface SpawnedCommand {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** The end of its output. */
  readonly output: () => string;
}

function spawnCommand(server: ServerProcess, name: string, { env, args, signal }: CommandOptions): SpawnedCommand {
  const child = spawn(process.execPath, [...(FLAGS[name] ?? []), launcher(server.checkout, name), name, ...args], {
    cwd: server.checkout,
    env: { ...server.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-MAX_OUTPUT);
    });
  }
  return { child, output: () => output.trim() };
}
