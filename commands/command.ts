import { setFlagsFromString } from 'node:v8';
import type { Verdict } from '../auditor/audit/report.ts';
import { ServiceApiError } from '../auditor/audit/service-api.ts';
import type { CommandParts } from '../auditor/audit/verify.ts';
import { ConfigError } from '../server/config.ts';
import { GatewayError } from '../server/network/arweave-client.ts';
import { WalletError } from '../server/network/wallet.ts';
import { CommandError } from '../server/platform/command-line/options.ts';
import { createProgress } from '../server/platform/command-line/progress.ts';
import { BackupError } from '../server/platform/db/backup/sealed-file.ts';
import { isConnectionLoss } from '../server/platform/db/pool.ts';
import { EmbeddedPostgresError } from '../server/platform/db/postgres/error.ts';
import { createShutdown } from '../server/platform/process/shutdown.ts';
import { printable } from './printable.ts';

// Commands stay below 300 MB: the heap of each thread may grow to 1.5 times its live data before a collection, by default to four times.
setFlagsFromString('--heap-growing-percent=50');

const STATUS: Readonly<Record<Verdict, number>> = { clean: 0, breach: 1, asserted: 3 };
const NOT_RUN = 2;
const INTERRUPTED = 130;

/**
 * Runs a command and exits with the status of its verdict, or with 2 and an error message if it fails. Stops everything that
 * it started, also on Ctrl-C.
 */
export async function runCommand(
  { usage, progress, noun = 'entries' }: { usage: string; progress: string; noun?: string },
  work: (args: readonly string[], parts: CommandParts) => Promise<Verdict>,
): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    process.stdout.write(usage);
    return;
  }
  const note = (line: string) => process.stderr.write(`${printable(line)}\n`);
  const shutdown = createShutdown();
  shutdown.onError((step, error) => note(`Stopping ${step} failed: ${messageOf(error)}`));
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    void shutdown.run(INTERRUPTED);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, interrupt);
  // The reader of the output may close the pipe (`| head`); the started services must still be stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', interrupt);
  const bar = createProgress(progress, { noun });
  shutdown.addStep('the progress bar', async () => bar.end());
  try {
    const verdict = await work(args, {
      env: process.env,
      progress: bar,
      note,
      print: (line) => process.stdout.write(`${printable(line)}\n`),
      addStep: shutdown.addStep,
    });
    await shutdown.run(STATUS[verdict]);
  } catch (error) {
    if (interrupted) return;
    bar.end();
    note(`It could not be done: ${messageOf(error)}`);
    if (!isExpected(error) && !isConnectionLoss(error)) for (const frame of framesOf(error)) note(frame);
    await shutdown.run(NOT_RUN);
  }
}

const EXPECTED = [
  BackupError,
  CommandError,
  ConfigError,
  EmbeddedPostgresError,
  GatewayError,
  ServiceApiError,
  WalletError,
];

const isExpected = (error: unknown): boolean => EXPECTED.some((kind) => error instanceof kind);

function messageOf(error: unknown): string {
  if (isExpected(error)) return (error as Error).message;
  return isConnectionLoss(error) ? `The database is not reachable; check DATABASE_URL (${error}).` : String(error);
}

const framesOf = (error: unknown): string[] =>
  error instanceof Error ? (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line)) : [];
