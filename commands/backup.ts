import { CommandError, readArguments, wholeNumber } from '../server/platform/command-line/options.ts';
import { checkBackup, takeBackup } from './backup/take-backup.ts';
import { runCommand } from './command.ts';

const usage = `npm run backup -- DIR [options]

Backs up the embedded database into the folder DIR while the service runs, or while it does not. DIR must exist. The backup is
compressed, and encrypted with BACKUP_KEY_FILE or DATA_DIR/backup.key: keep a copy of that key elsewhere, because without it the
backup is lost. The keys of the vault, the relayer, the checkpoints, the webhooks and the institute are not in it: keep copies of
them apart from it. With BACKUP_DIR the service does this on a schedule and archives changes continuously (docs/backups.md).

  --check              instead reads the newest backup in DIR (BACKUP_DIR by default) and its write-ahead log, and compares them
                       with their digests; with DATABASE_URL it asks that database whether it archives
  --max-rate BYTES     copies at most so many bytes of the database per second, after a checkpoint of PostgreSQL, which takes minutes: as the
                       service does on its schedule with BACKUP_MAX_RATE, to leave more of the machine to itself
  --keep DURATION      then deletes backups in DIR that are older, such as 7d or 36h, except the newest

Exit status: 0 backed up, or no problem found; 1 --check found that DATABASE_URL does not archive; 2 there is no new backup, or
--check found none or a damaged one.
`;

const MIN_RATE = 100_000;
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

await runCommand({ usage, progress: 'Backing up' }, async (args, parts) => {
  const { options, positionals } = readArguments(args, {
    keep: { type: 'string' },
    check: { type: 'boolean' },
    'max-rate': { type: 'string' },
  });
  const [directory, ...more] = positionals;
  if (options.check && more.length === 0) return (await checkBackup(directory, parts)) ? 'clean' : 'breach';
  if (!directory || more.length > 0) throw new CommandError('Give the folder for the backup. See --help.');
  await takeBackup(directory, { keepMs: durationOf(options.keep), maxRate: rateOf(options['max-rate']) }, parts);
  return 'clean';
});

function rateOf(text: string | undefined): number | null {
  const rate = wholeNumber('max-rate', text);
  if (rate !== undefined && rate < MIN_RATE) throw new CommandError(`--max-rate must be at least ${MIN_RATE}.`);
  return rate ?? null;
}

function durationOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (!count) throw new CommandError('--keep must be a duration such as 7d or 36h.');
  return Number(count) * (UNITS[unit] ?? 0);
}
