import { CommandError, given, readArguments, wholeNumber } from '../server/platform/command-line/options.ts';
import { restoreBackup } from './backup/restore-files.ts';
import { runCommand } from './command.ts';

const usage = `npm run restore-backup -- DIR [options]

Restores the embedded database from the folder DIR into DATA_DIR, which must have none. Copy the keys to DATA_DIR first: backup.key,
relayer.key, vault.key, checkpoint.key, webhook.key and institute-keys.json, or name them in the settings. The public state is then rebuilt from the storage
network with every check of "npm run verify", so that everything that was erased after the backup is erased again, and a new epoch
begins. Only then the database gets its place.

  --to TIME            the state at this time, such as 2026-05-31T14:00:00Z; otherwise the newest in DIR
  --base NAME          begin with this backup (a folder in DIR/…/base), if the newest is damaged
  --database NUMBER    which database, if DIR holds backups of several
  --new-keys           webhook.key, checkpoint.key or institute-keys.json are lost: the service creates new ones
  --wait SECONDS       how long to wait for posted bundles that are not mined yet (3600)
  --abandon-pending    then continue without them; their entries are lost

Exit status: 0 restored, 1 the ledger on the network has breaches and nothing was restored, 2 nothing was restored.
`;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

await runCommand({ usage, progress: 'Restoring' }, (args, parts) => {
  const text = { type: 'string' } as const;
  const { options, positionals } = readArguments(args, {
    to: text,
    base: text,
    database: text,
    wait: text,
    'abandon-pending': { type: 'boolean' },
    'new-keys': { type: 'boolean' },
  });
  const [directory, ...more] = positionals;
  if (!directory || more.length > 0) throw new CommandError('Give the folder with the backup. See --help.');
  return restoreBackup(
    directory,
    given({
      to: timeOf(options.to),
      base: options.base,
      database: options.database,
      wait: wholeNumber('wait', options.wait),
      abandonPending: options['abandon-pending'],
      newKeys: options['new-keys'],
    }),
    parts,
  );
});

function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new CommandError('--to must be a time with its zone, such as 2026-05-31T14:00:00Z.');
  return time;
}
