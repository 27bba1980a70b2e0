import { checkBackup, takeBackup } from '../backup/take-backup.ts';
import { CommandError, readArguments } from '../operator/options.ts';
import { runCommand } from './command.ts';

const usage = `npm run backup -- DIR [options]

Backs up the embedded database into the folder DIR while the service runs, or while it does not. DIR must exist. The backup is
compressed, and encrypted with BACKUP_KEY_FILE or DATA_DIR/backup.key: keep a copy of that key elsewhere, because without it the
backup is lost. The keys of the vault, the relayer, the webhooks and the institute are not in it: keep copies of them apart from
it. With BACKUP_DIR the service does this on a schedule and archives changes continuously (docs/backups.md).

  --check              instead reads the newest backup in DIR (BACKUP_DIR by default) and its write-ahead log, and compares them
                       with their digests; with DATABASE_URL it asks that database whether it archives
  --slow               takes about three times as long, and leaves more of the machine to the service
  --keep DURATION      then deletes backups in DIR that are older, such as 7d or 36h, except the newest

Exit status: 0 backed up, or no problem found; 1 --check found that DATABASE_URL does not archive; 2 there is no new backup, or
it is damaged.
`;

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

await runCommand({ usage, progress: 'Backing up' }, async (args, parts) => {
  const { options, positionals } = readArguments(args, {
    keep: { type: 'string' },
    check: { type: 'boolean' },
    slow: { type: 'boolean' },
  });
  const [directory, ...more] = positionals;
  if (options.check && more.length === 0) return (await checkBackup(directory, parts)) ? 'clean' : 'breach';
  if (!directory || more.length > 0) throw new CommandError('Give the folder for the backup. See --help.');
  await takeBackup(directory, { keepMs: durationOf(options.keep), slowly: options.slow ?? false }, parts);
  return 'clean';
});

function durationOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (!count) throw new CommandError('--keep must be a duration such as 7d or 36h.');
  return Number(count) * (UNITS[unit] ?? 0);
}
