import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A worker of the bench in its own process, which ends with the bench's. */
export interface WorkerProcess {
  readonly pid: number;
  /** Sends a message, if there is one, and waits for the next message. @throws {Error} when the process ends first. */
  receive<Message>(request?: object): Promise<Message>;
  stop(): Promise<void>;
}

/** Starts the bundle of `<name>.worker.ts`, which is in the same folder as the bundle of this file. */
export function startWorker(name: string, ...args: string[]): WorkerProcess {
  const process = fork(new URL(`./${name}.worker.js`, import.meta.url), args, { serialization: 'advanced' });
  return {
    pid: process.pid ?? 0,
    receive: <Message>(request?: object) => receive<Message>(name, process, request),
    async stop() {
      if (process.exitCode !== null || process.signalCode !== null) return;
      const ended = once(process, 'exit');
      process.kill('SIGKILL');
      await ended;
    },
  };
}

function receive<Message>(name: string, process: ChildProcess, request?: object): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = () => settle(() => reject(new Error(`The process ${name} ended before it sent a message.`)));
    const onMessage = (message: unknown) => settle(() => resolve(message as Message));
    const settle = (outcome: () => void) => {
      process.off('exit', onExit).off('message', onMessage);
      outcome();
    };
    process.once('exit', onExit).once('message', onMessage);
    if (process.exitCode !== null || process.signalCode !== null) onExit();
    else if (request) process.send(request);
  });
}
