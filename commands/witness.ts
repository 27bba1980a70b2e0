import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pino } from 'pino';
import { linesOfLogFile, readLogList } from '../auditor/witness/log-list.ts';
import { startWitness } from '../auditor/witness/start-witness.ts';
import { WitnessError } from '../auditor/witness/witness-error.ts';
import { TransparencyError } from '../protocol/transparency/transparency-error.ts';
import { ConfigError } from '../server/config.ts';
import { CommandError, readOptions, wholeNumber } from '../server/platform/command-line/options.ts';

const usage = `npm run witness -- --name NAME --log VKEY [options]

Runs a witness of C2SP tlog-witness: it cosigns each checkpoint of the given logs that extends the last one it cosigned. It needs
nothing of the other settings, and no database.

  --name NAME    the name of its key, such as witness.example.org/1; no spaces, no +
  --log VKEY     the verifier key of a log, of type 1 (Ed25519); for several logs, give it several times. If the name of the key is
                 not the origin of the log: --log "ORIGIN VKEY"
  --logs FILE    a file of the same, one log a line
  --dir DIR      where its key and its state are, created at the first start (./witness)
  --port N       the port to listen on (8091); --host ADDRESS (127.0.0.1)

It prints its verifier key, which the operators of the logs need. See docs/transparency.md, "Running a witness".
`;

const NOT_RUN = 2;
const EXPECTED = [CommandError, ConfigError, TransparencyError, WitnessError];
const LISTEN_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'The port is in use.',
  EACCES: 'This user may not listen on that port.',
  EADDRNOTAVAIL: 'The host is not an address of this machine.',
};

function optionsOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = readOptions(args, {
    name: text,
    log: { type: 'string', multiple: true },
    logs: text,
    dir: text,
    port: text,
    host: text,
  });
  if (!options.name) throw new CommandError('Give the name of the witness with --name. --help lists the options.');
  const listed = options.logs === undefined ? [] : linesOfLogFile(textOf(options.logs));
  const logs = readLogList([...(options.log ?? []), ...listed]);
  if (logs.size === 0) throw new CommandError('Give at least one log with --log or --logs.');
  const port = wholeNumber('port', options.port) ?? 8091;
  if (port > 65_535) throw new CommandError('--port must be at most 65535.');
  return {
    name: options.name,
    logs,
    directory: resolve(options.dir ?? 'witness'),
    host: options.host ?? '127.0.0.1',
    port,
  };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}

async function run(): Promise<void> {
  const options = optionsOf(process.argv.slice(2));
  const witness = await startWitness(options, pino({ name: 'witness' }, pino.destination(2)));
  process.stdout.write(`${witness.vkey}\n`);
  process.stdout.write(`It cosigns ${[...options.logs.keys()].join(', ')}\n`);
  process.stdout.write(`Listening on http://${options.host}:${witness.port}/add-checkpoint\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void witness.stop().finally(() => process.exit(0)));
  }
}

if (process.argv.includes('--help')) {
  process.stdout.write(usage);
} else {
  await run().catch((error: NodeJS.ErrnoException) => {
    const expected = EXPECTED.some((kind) => error instanceof kind) ? error.message : LISTEN_PROBLEMS[error.code ?? ''];
    process.stderr.write(`The witness cannot run. ${expected ?? error.stack}\n`);
    process.exitCode = NOT_RUN;
  });
}
