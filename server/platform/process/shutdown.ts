import { createClosing } from './closing.ts';

export interface Shutdown {
  /** Registers a step. Steps run in reverse order of registration. */
  addStep(name: string, step: () => Promise<unknown>): void;
  onError(report: (step: string, error: unknown) => void): void;
  /** Runs every step once, then exits the process. */
  run(exitCode: number): Promise<void>;
}

/** Stops the parts of the process in order: each before the parts it depends on. */
export function createShutdown(): Shutdown {
  let report: (step: string, error: unknown) => void = () => undefined;
  let running = false;
  const steps = createClosing((step, error) => report(step, error));
  return {
    addStep: steps.add,
    onError: (reporter) => {
      report = reporter;
    },
    async run(exitCode) {
      if (running) return;
      running = true;
      await steps.run();
      process.exit(exitCode);
    },
  };
}
