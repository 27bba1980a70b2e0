import cluster from 'node:cluster';
import { realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { type Config, ConfigError, readConfig } from './config.ts';
import { INSTITUTE_KEYS, loadInstituteKeys } from './platform/data-folder/key-files.ts';
import { connectionLimitProblem } from './platform/db/connections.ts';
import { databaseProblem } from './platform/db/database-problem.ts';
import { listenAddress, localUrl } from './platform/listening/listen-address.ts';
import { readTlsFiles } from './platform/listening/tls-files.ts';
import { createLog } from './platform/observe/log.ts';
import { createShutdown } from './platform/process/shutdown.ts';
import { type StartedBackends, startBackends } from './processes/backends.ts';
import { onHangup } from './processes/hangup.ts';
import { StartFailed } from './processes/serving-process.ts';
import { startProblem } from './processes/start-problem.ts';
import { supervise } from './processes/supervise.ts';
import { ENCRYPT_DATABASE, unencryptedProblem } from './settings/database-hosts.ts';

const shutdown = createShutdown();
/** What SIGHUP does. A service that is starting has nothing to reload. */
let reload = (): void => undefined;

// V8's default lets a small heap grow to four times its live size between collections. This limits it to twice.
setFlagsFromString('--heap-growing-percent=100');

async function main(): Promise<void> {
  /* 1. Settings and log ------------------------------------------------------------------------------------------- */
  const config = readConfig();
  const base = cluster.isWorker ? { pid: process.pid } : null;
  const log = createLog(config, base);
  const report = process.stdout.isTTY
    ? (message: string) => console.log(message)
    : (message: string) => log.info(message);
  shutdown.onError((step, error) => log.error({ err: error }, `stopping: ${step} failed`));

  /* 2. One of several serving processes --------------------------------------------------------------------------- */
  if (cluster.isWorker) {
    const [{ runChild }, { startPages }] = await Promise.all([
      import('./processes/child.ts'),
      import('./processes/page-server.ts'),
    ]);
    return runChild({ config, log, shutdown, startPages });
  }
  if (process.getuid?.() === 0) log.warn('Perpetua runs as root, which it does not need: run it as a dedicated user');
  for (const { name, closest } of config.UNKNOWN) {
    log.warn({ variable: name, setting: closest }, 'an environment variable is not a setting, but resembles one');
  }
  const unencrypted = unencryptedProblem(config);
  if (unencrypted) log.warn(`${unencrypted} ${ENCRYPT_DATABASE}`);
  readTlsFiles(config);

  /* 3. Database and storage network, embedded where none is configured -------------------------------------------- */
  const problem = config.DATABASE_URL ? await databaseProblem(config.DATABASE_URL) : null;
  if (problem) throw new ConfigError(problem);
  const tooFew = config.DATABASE_URL ? await connectionLimitProblem(config.DATABASE_URL, config.PROCESSES) : null;
  if (tooFew) log.warn(tooFew);
  const backupProgram = new URL('./backup.js', import.meta.url);
  const started = await startBackends(config, { log, report, shutdown, backupProgram });
  showInstituteKeys(config, log, report);

  /* 4. The service, in this process or in several -------------------------------------------------------------------- */
  const url = await start(config, log, started);

  /* 5. Ready ------------------------------------------------------------------------------------------------------ */
  const { DATA_DIR, PROCESSES } = config;
  report(`Perpetua serves on ${url}${PROCESSES > 1 ? ` with ${PROCESSES} processes` : ''}`);
  report(listenAddress(config).sentence);
  const { databaseDirectory, gateway } = started.backends;
  report(`Its data is in ${DATA_DIR}${databaseDirectory ? `, its database in ${databaseDirectory}` : ''}`);
  if (gateway.kind === 'devnet')
    report('It writes to the embedded devnet, which is not permanent; see docs/operations.md for the real network.');
}

async function start(config: Config, log: Logger, { backends, backups }: StartedBackends): Promise<string> {
  if (config.PROCESSES === 1) {
    // The parent of several processes loads neither Next nor the service.
    const [{ serve }, { startPages }] = await Promise.all([
      import('./processes/serve.ts'),
      import('./processes/page-server.ts'),
    ]);
    const { url } = await serve({ config, log, backends, backups, shutdown, startPages });
    reload = () =>
      log.warn('SIGHUP cannot reload a single process: set PROCESSES to 2 or more, or restart the service');
    return url;
  }
  makePathsAbsolute(config);
  const supervisor = await supervise({ config, log, backends, backups, shutdown, entry });
  reload = supervisor.reload;
  return config.PUBLIC_URL ?? localUrl(config, supervisor.port);
}

/** After a reload a process may run in the folder of another release, where a relative path would name other files. */
function makePathsAbsolute({ DATA_DIR }: Config): void {
  for (const [name, value] of Object.entries(process.env)) {
    if (value && /^(BACKUP_DIR|\w+_FILE)$/.test(name)) process.env[name] = resolve(value);
  }
  process.env.DATA_DIR = DATA_DIR;
}

/**
 * What a new process runs. If this file was started directly, its path may lead over a link to the current release. The
 * folder `server` beside those of all builds links to the current build.
 */
function entry(): string {
  const started = process.argv[1] ?? '';
  const file = basename(started) === 'main.js' ? started : fileURLToPath(import.meta.url);
  return realpathSync(file.replace(/([\\/]server)-[^\\/]+([\\/][^\\/]+)$/, '$1$2'));
}

function showInstituteKeys(config: Config, log: Logger, report: (message: string) => void): void {
  const institute = loadInstituteKeys(config);
  if (!institute.digests) {
    log.warn(
      'the institute has no keys: set INSTITUTE_KEY_DIGESTS, or institutions can be neither certified nor governed',
    );
  }
  if (!institute.created) return;
  report(`The institute's three keys were generated and written to ${join(config.DATA_DIR, INSTITUTE_KEYS)}`);
  // Logs are kept and read by others, so the keys are printed to a terminal only.
  if (!process.stdout.isTTY) return;
  for (const [index, key] of institute.created.entries()) console.log(`  institute key ${index + 1}: ${key}`);
}

// The parent ends its processes in order, also when a terminal sends these signals to all of them.
if (cluster.isWorker) {
  for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => undefined);
} else {
  process.on('SIGINT', () => void shutdown.run(0));
  onHangup({ reload: () => reload(), stop: () => void shutdown.run(0) });
}
process.on('SIGTERM', () => void shutdown.run(0));
// The parent process (`npm run dev`) was killed: stop, so that the server does not outlive it.
if (cluster.isPrimary) process.once('disconnect', () => void shutdown.run(0));

main().catch(async (error: unknown) => {
  const reason = startProblem(error);
  if (error instanceof StartFailed) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(reason ? `Perpetua cannot start: ${reason}\n` : `${(error as Error).stack ?? error}\n`);
  await shutdown.run(1);
});
