import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Shutdown {
  /** Registers a step; steps run in the opposite order of their registration. */
  addStep(name: string, step: () => Promise<unknown>): void;
  onError(report: (step: string, error: unknown) => void): void;
  /** Lets requests in flight finish and refuses new ones; cuts what is still open after a while. */
  drain(server: Server): Promise<void>;
  /** Runs every step once, then ends the process. */
  run(exitCode: number): Promise<void>;
}

const DRAIN_MS = 10_000;
const SWEEP_MS = 50;

/** How the process stops: in order, each part after what depends on it. */
export function createShutdown(): Shutdown {
  const steps: { name: string; step: () => Promise<unknown> }[] = [];
  let report: (step: string, error: unknown) => void = () => undefined;
  let running = false;
  return {
    addStep: (name, step) => steps.push({ name, step }),
    onError: (reporter) => {
      report = reporter;
    },
    async drain(server) {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      // A connection whose last request is answered while we wait would be kept alive for seconds more.
      const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
      const late = new AbortController();
      void sleep(DRAIN_MS, undefined, { signal: late.signal }).then(
        () => server.closeAllConnections(),
        () => undefined,
      );
      await closed;
      clearInterval(sweep);
      late.abort();
    },
    async run(exitCode) {
      if (running) return;
      running = true;
      for (const { name, step } of steps.reverse()) {
        try {
          await step();
        } catch (error) {
          report(name, error);
        }
      }
      process.exit(exitCode);
    },
  };
}
