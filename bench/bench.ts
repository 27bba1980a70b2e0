import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { createShutdown } from '../server/shutdown.ts';
import { createBenchFolder, removeBenchFolder } from './bench-data.ts';
import { describeMachine, loadOfLastMinute } from './machine.ts';
import { type Results, resultsJson, resultsTable } from './report.ts';
import { SCENARIOS } from './scenarios.ts';
import { endOf } from './server-under-test.ts';
import { startSession } from './session.ts';
import { readSettings, type Settings, USAGE } from './settings.ts';

const MINUTES_AT_MOST = 30;

const begun = performance.now();
const seconds = () => (performance.now() - begun) / 1000;
const say = (line: string) => process.stderr.write(`${seconds().toFixed(0).padStart(4)} s  ${line}\n`);

const stopping = new AbortController();
const shutdown = createShutdown();
shutdown.onError((step, error) => say(`stopping: ${step}: ${(error as Error).message}`));

async function bench(settings: Settings): Promise<Results> {
  const otherLoad = loadOfLastMinute();
  const machine = describeMachine();
  const folder = await createBenchFolder();
  shutdown.addStep('the files of the bench', () => removeBenchFolder(folder));
  say('starting the server under test');
  const session = await startSession({ settings, folder, addStep: shutdown.addStep, say, stopping: stopping.signal });
  const scenarios: Results['scenarios'][number][] = [];
  for (const { name, run } of SCENARIOS.filter(({ name }) => name.includes(settings.only ?? ''))) {
    say(name);
    const figures = await run(session);
    scenarios.push({ name, load: loadOfLastMinute(), figures });
  }
  await session.server().stop();
  const log = endOf(join(session.dataDir, 'server.log'));
  return {
    at: new Date().toISOString(),
    machine,
    otherLoad,
    rounds: settings.rounds,
    quick: settings.quick,
    minutes: seconds() / 60,
    scenarios,
    notes: log === '' ? [] : [`The server under test logged, at the end:\n${log}`],
  };
}

async function main(): Promise<number> {
  let settings: Settings;
  try {
    settings = readSettings(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${USAGE}\n`);
    return 2;
  }
  const results = await bench(settings);
  process.stdout.write(`\n${resultsTable(results)}\n`);
  if (settings.jsonFile) {
    const file = resolve(settings.jsonFile);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, resultsJson(results));
  }
  return 0;
}

/** Stops everything; a scenario that is under way then fails, which nobody needs to be told. */
function stopEarly(why: string, exitCode: number): void {
  if (stopping.signal.aborted) return;
  say(why);
  stopping.abort();
  void shutdown.run(exitCode);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopEarly('stopping', 130));
setTimeout(() => {
  stopEarly(`The bench took longer than ${MINUTES_AT_MOST} minutes and is stopped.`, 1);
}, MINUTES_AT_MOST * 60_000).unref();

main().then(shutdown.run, (error: Error) => stopEarly(`The bench has failed: ${error.message}`, 1));
