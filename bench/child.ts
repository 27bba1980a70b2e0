import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A worker of the bench, in a process of its own that ends with the bench's. */
export interface Child {
  readonly pid: number;
  /** Sends a message, if there is one, and waits for the next that comes back. @throws {Error} when the process ends first. */
  receive<Message>(sent?: object): Promise<Message>;
  stop(): Promise<void>;
}

/** Starts `<name>.worker.ts` as it was bundled, beside the file this is bundled into. */
export function startChild(name: string, ...args: string[]): Child {
  const process = fork(new URL(`./${name}.worker.js`, import.meta.url), args, { serialization: 'advanced' });
  return {
    pid: process.pid ?? 0,
    receive: <Message>(sent?: object) => receive<Message>(name, process, sent),
    async stop() {
      if (process.exitCode !== null || process.signalCode !== null) return;
      const ended = once(process, 'exit');
      process.kill('SIGKILL');
      await ended;
    },
  };
}

function receive<Message>(name: string, process: ChildProcess, sent?: object): Promise<Message> {
  return new Promise((resolve, reject) => {
    const ended = () => settle(() => reject(new Error(`The process ${name} ended before it answered.`)));
    const answered = (message: unknown) => settle(() => resolve(message as Message));
    const settle = (outcome: () => void) => {
      process.off('exit', ended).off('message', answered);
      outcome();
    };
    process.once('exit', ended).once('message', answered);
    if (process.exitCode !== null || process.signalCode !== null) ended();
    else if (sent) process.send(sent);
  });
}
