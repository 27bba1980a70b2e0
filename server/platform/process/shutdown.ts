export interface Shutdown {
  /** Registers a step. Steps run in reverse order of registration. */
  addStep(name: string, step: () => Promise<unknown>): void;
  onError(report: (step: string, error: unknown) => void): void;
  /** Runs every step once, then exits the process. */
  run(exitCode: number): Promise<void>;
}

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
