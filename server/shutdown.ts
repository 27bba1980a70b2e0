import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Shutdown {
  /** Registers a step. Steps run in reverse order of registration. */
  addStep(name: string, step: () => Promise<unknown>): void;
  onError(report: (step: string, error: unknown) => void): void;
  /** Refuses new requests, waits for those in flight, and closes the remaining connections after a timeout. */
  drain(server: Server): Promise<void>;
  /** Runs every step once, then exits the process. */
  run(exitCode: number): Promise<void>;
}

const DRAIN_MS = 10_000;
const SWEEP_MS = 50;

/** Stops the parts of the process in order: each before the parts it depends on. */
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
      // Otherwise a connection that becomes idle while we wait would be kept alive for seconds.
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
