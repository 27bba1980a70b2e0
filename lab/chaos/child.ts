import { type ChildProcess, fork, type Serializable, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';

/** A process of the deployment that is started again after it was killed. */
export interface Child {
  readonly name: string;
  readonly pid: () => number;
  readonly isRunning: () => boolean;
  /** The number of starts. */
  readonly starts: () => number;
  start(): Promise<void>;
  /** Sends a signal; for SIGKILL and SIGTERM waits for the exit. False if the process does not run. */
  signal(signal: NodeJS.Signals): Promise<boolean>;
  /** Sends a message to a Node process and waits for its response; null if it takes a minute or ended. */
  ask<Response>(request: Serializable): Promise<Response | null>;
}

interface ChildParts {
  readonly name: string;
  /** Appended to, over all starts. */
  readonly logFile: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: () => NodeJS.ProcessEnv;
  /** `fork`: a Node program, which sends a message once it serves. `spawn`: any program. */
  readonly kind: 'fork' | 'spawn';
  readonly execArgv?: readonly string[];
}

const START_MS = 180_000;
const ANSWER_MS = 60_000;
const ENDING: readonly NodeJS.Signals[] = ['SIGKILL', 'SIGTERM'];

export function createChild(parts: ChildParts): Child {
  let child: ChildProcess | null = null;
  let starts = 0;
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null;

  function launch(): ChildProcess {
    const log = openSync(parts.logFile, 'a');
    const options = { env: parts.env() };
    try {
      return parts.kind === 'fork'
        ? fork(parts.command, [...parts.args], {
            ...options,
            execArgv: [...(parts.execArgv ?? [])],
            stdio: ['ignore', log, log, 'ipc'],
          })
        : spawn(parts.command, [...parts.args], { ...options, stdio: ['ignore', log, log] });
    } finally {
      closeSync(log);
    }
  }

  /** Whether it serves before it ends and within three minutes. A program that sends no message is asked by others. */
  async function serves(started: ChildProcess): Promise<boolean> {
    if (parts.kind === 'spawn') return once(started, 'spawn').then(() => true);
    const settled = new AbortController();
    const signal = AbortSignal.any([settled.signal, AbortSignal.timeout(START_MS)]);
    const outcomes = [
      once(started, 'message', { signal }).then(() => true),
      once(started, 'exit', { signal }).then(() => false),
    ];
    return Promise.race(outcomes)
      .catch(() => false)
      .finally(() => {
        settled.abort();
        for (const outcome of outcomes) outcome.catch(() => undefined);
      });
  }

  return {
    name: parts.name,
    pid: () => child?.pid ?? 0,
    isRunning,
    starts: () => starts,
    async start() {
      if (isRunning()) return;
      const started = launch();
      child = started;
      starts += 1;
      started.on('error', () => undefined);
      if (!(await serves(started))) {
        started.kill('SIGKILL');
        throw new Error(`${parts.name} did not start; see ${parts.logFile}`);
      }
    },
    async signal(signal) {
      const current = child;
      if (!current || !isRunning()) return false;
      const ended = ENDING.includes(signal) ? once(current, 'exit') : null;
      const sent = current.kill(signal);
      if (sent) await ended;
      return sent;
    },
    async ask<Response>(request: Serializable) {
      const current = child;
      if (!current?.connected) return null;
      const late = AbortSignal.timeout(ANSWER_MS);
      const answer = once(current, 'message', { signal: late }).then(([message]) => message as Response);
      current.send(request);
      return answer.catch(() => null);
    },
  };
}
