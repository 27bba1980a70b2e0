import { fork } from 'node:child_process';
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
  const ended = once(process, 'exit');
  const failed = ended.then(() => Promise.reject(new Error(`The process ${name} ended before it sent a message.`)));
  failed.catch(() => undefined);
  return {
    pid: process.pid ?? 0,
    async receive<Message>(request?: object) {
      const received = once(process, 'message');
      if (request && process.connected) process.send(request);
      const [message] = await Promise.race([received, failed]);
      return message as Message;
    },
    async stop() {
      process.kill('SIGKILL');
      await ended;
    },
  };
}
