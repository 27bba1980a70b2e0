import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createShutdown } from '../../server/platform/process/shutdown.ts';
import { createBenchFolder, removeBenchFolder } from './bench-folder.ts';
import { describeMachine } from './bench-machine.ts';
import { type Figure, resultsTable } from './figures.ts';
import { scenariosFor } from './scenarios.ts';
import { createSession, type Scenario } from './session.ts';
import { readSettings, type Settings, USAGE } from './settings.ts';

const MAX_MINUTES = 60;

const begun = performance.now();
const seconds = () => (performance.now() - begun) / 1000;
const log = (line: string) => process.stderr.write(`${seconds().toFixed(0).padStart(4)} s  ${line}\n`);

const interruption = new AbortController();
const shutdown = createShutdown();
shutdown.onError((step, error) => log(`stopping: ${step}: ${(error as Error).message}`));

export type Results = Awaited<ReturnType<typeof bench>>;

async function bench(settings: Settings, selected: readonly Scenario[]) {
  const machine = describeMachine();
  const folder = await createBenchFolder();
  shutdown.addStep('the files of the bench', () => removeBenchFolder(folder));
  const { signal: interrupted } = interruption;
  const session = createSession({ settings, folder, addStep: shutdown.addStep, log, interrupted });
  const figures: Figure[] = [];
  for (const { name, run } of selected) {
    log(name);
    figures.push(...(await run(session)));
  }
  return {
    at: new Date().toISOString(),
    machine,
    rounds: settings.rounds,
    rateLimits: settings.rateLimits,
    /** What the figures are compared with. */
    reference: settings.isComparison ? 'other checkout' : 'bare loop',
    minutes: seconds() / 60,
    figures,
  };
}

async function main(): Promise<number> {
  let settings: Settings;
  let selected: readonly Scenario[];
  try {
    settings = readSettings(process.argv.slice(2));
    selected = scenariosFor(settings);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`);
    return 2;
  }
  const results = await bench(settings, selected);
  process.stdout.write(`\n${resultsTable(results)}\n`);
  if (settings.jsonFile) {
    const file = resolve(settings.jsonFile);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  }
  return 0;
}

/** The scenario that is running fails after an interruption; only the first reason is logged. */
function interrupt(reason: string, exitCode: number): void {
  if (interruption.signal.aborted) return;
  log(reason);
  interruption.abort();
  void shutdown.run(exitCode);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupt('stopping', 130));
const late = `The bench took longer than ${MAX_MINUTES} minutes and was stopped.`;
setTimeout(() => interrupt(late, 1), MAX_MINUTES * 60_000).unref();

main().then(shutdown.run, (error: Error) => interrupt(`The bench failed: ${error.message}`, 1));
