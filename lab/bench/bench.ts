import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createShutdown } from '../../server/platform/process/shutdown.ts';
import { createBenchFolder, removeBenchFolder } from './bench-folder.ts';
import { describeMachine, loadOfLastMinute } from './bench-machine.ts';
import { type Results, resultsJson, resultsTable } from './bench-report.ts';
import { scenariosFor } from './scenarios.ts';
import { endOfLog } from './server-process.ts';
import { type Scenario, serverDataDir, startSession } from './session.ts';
import { readSettings, type Settings, USAGE } from './settings.ts';

const MAX_MINUTES = 60;

const begun = performance.now();
const seconds = () => (performance.now() - begun) / 1000;
const log = (line: string) => process.stderr.write(`${seconds().toFixed(0).padStart(4)} s  ${line}\n`);

const interruption = new AbortController();
const shutdown = createShutdown();
shutdown.onError((step, error) => log(`stopping: ${step}: ${(error as Error).message}`));

async function bench(settings: Settings, selected: readonly Scenario[]): Promise<Results> {
  const otherLoad = loadOfLastMinute();
  const machine = describeMachine();
  const folder = await createBenchFolder();
  shutdown.addStep('the files of the bench', () => removeBenchFolder(folder));
  log('starting the server under test');
  const { signal: interrupted } = interruption;
  const session = await startSession({ settings, folder, addStep: shutdown.addStep, log, interrupted });
  const scenarios: Results['scenarios'][number][] = [];
  for (const { name, run } of selected) {
    log(name);
    const figures = await run(session);
    scenarios.push({ name, load: loadOfLastMinute(), figures });
  }
  await session.server().stop();
  const serverLog = endOfLog(serverDataDir(folder));
  return {
    at: new Date().toISOString(),
    machine,
    otherLoad,
    rounds: settings.rounds,
    quick: settings.quick,
    rateLimits: settings.rateLimits,
    reference: settings.isComparison ? 'other checkout' : 'bare loop',
    minutes: seconds() / 60,
    scenarios,
    notes: serverLog === '' ? [] : [`The end of the log of the server under test:\n${serverLog}`],
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
    await writeFile(file, resultsJson(results));
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
setTimeout(() => {
  interrupt(`The bench took longer than ${MAX_MINUTES} minutes and was stopped.`, 1);
}, MAX_MINUTES * 60_000).unref();

main().then(shutdown.run, (error: Error) => interrupt(`The bench failed: ${error.message}`, 1));
