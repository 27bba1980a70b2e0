import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { createShutdown } from '../server/shutdown.ts';
import { createBenchFolder, removeBenchFolder } from './bench-folder.ts';
import { describeMachine, loadOfLastMinute } from './machine.ts';
import { type Results, resultsJson, resultsTable } from './report.ts';
import { compareWith } from './scenarios/against.ts';
import { audit } from './scenarios/audit.ts';
import { baseBackup } from './scenarios/base-backup.ts';
import { consent } from './scenarios/consent.ts';
import { createBEO } from './scenarios/create-beo.ts';
import { distantDatabase } from './scenarios/distant-database.ts';
import { generatedLedger } from './scenarios/generated-ledger.ts';
import { listInstitutions } from './scenarios/list-institutions.ts';
import { manyIdentities } from './scenarios/many-identities.ts';
import { memory } from './scenarios/memory.ts';
import { mirror } from './scenarios/mirror.ts';
import { processes } from './scenarios/processes.ts';
import { readByDomain } from './scenarios/read-by-domain.ts';
import { records } from './scenarios/records.ts';
import { secondStart } from './scenarios/second-start.ts';
import { steadyWrites } from './scenarios/steady-writes.ts';
import { checkpointing, proofs } from './scenarios/transparency.ts';
import { webhooks } from './scenarios/webhooks.ts';
import { endOfLog } from './server-process.ts';
import { type Scenario, serverDataDir, startSession } from './session.ts';
import { readSettings, type Settings, USAGE } from './settings.ts';

/** In the order they run. They share one server, whose ledger grows from one to the next. */
const SCENARIOS: readonly Scenario[] = [
  readByDomain,
  memory,
  audit,
  createBEO,
  steadyWrites,
  consent,
  listInstitutions,
  records,
  webhooks,
  baseBackup,
  processes,
  distantDatabase,
  checkpointing,
  proofs,
  mirror,
  secondStart,
];

const MAX_MINUTES = 60;

const begun = performance.now();
const seconds = () => (performance.now() - begun) / 1000;
const log = (line: string) => process.stderr.write(`${seconds().toFixed(0).padStart(4)} s  ${line}\n`);

const interruption = new AbortController();
const shutdown = createShutdown();
shutdown.onError((step, error) => log(`stopping: ${step}: ${(error as Error).message}`));

function scenariosFor({ against, identities, ledger, only }: Settings): readonly Scenario[] {
  if (ledger !== null) return [generatedLedger(ledger)];
  if (against !== null) return [compareWith(against)];
  const scenarios = identities === null ? SCENARIOS : [manyIdentities(identities), proofs];
  return scenarios.filter(({ name }) => name.includes(only));
}

async function bench(settings: Settings): Promise<Results> {
  const otherLoad = loadOfLastMinute();
  const machine = describeMachine();
  const folder = await createBenchFolder();
  shutdown.addStep('the files of the bench', () => removeBenchFolder(folder));
  log('starting the server under test');
  const { signal: interrupted } = interruption;
  const session = await startSession({ settings, folder, addStep: shutdown.addStep, log, interrupted });
  const scenarios: Results['scenarios'][number][] = [];
  for (const { name, run } of scenariosFor(settings)) {
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
    reference: settings.against === null ? 'bare loop' : 'other checkout',
    minutes: seconds() / 60,
    scenarios,
    notes: serverLog === '' ? [] : [`The end of the log of the server under test:\n${serverLog}`],
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
