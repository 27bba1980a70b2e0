import {
  CommandError,
  given,
  hex32,
  httpUrl,
  httpUrls,
  readOptions,
  walletAddress,
  wholeNumber,
} from '../server/platform/command-line/options.ts';
import { restoreKeepingPrivateRows } from './backup/restore-files.ts';
import { runCommand } from './command.ts';
import { restore } from './restore/rebuild-database.ts';

const usage = `npm run restore [-- options]

Rebuilds the public state in an empty database from the storage network and the relayer's private key, with every check of
"npm run verify", and begins a new epoch. All or nothing: after a crash the database is as before. Stop every process of the
service first. The settings of the service
specify the database, the network and the key (docs/operations.md).

  --keep-private       for a database that lost operations, such as a restored backup or a standby that was promoted while it
                       lagged: keeps its health records and other private rows, and erases what the ledger erased since.
                       Otherwise the database must be empty
  --gateway URL        the Arweave gateways to read from, instead of the configured ones; repeat it, or separate them with
                       commas; needs --wallet
  --wallet ADDRESS     the wallet that posted the ledger, instead of the configured one
  --from-mirror URL    a mirror that may have entries which were accepted and never posted: adds those that the relayer signed
  --most-bundles N     the maximum number of transactions that a gateway may list for the wallet (1000000)
  --ledger-id HEX      the id of the ledger, if it is not the hash of the relayer key
  --wait SECONDS       how long to wait for posted bundles that are not mined yet (3600)
  --abandon-pending    then continue without them; their entries are lost

Exit status: 0 restored, 1 the ledger on the network has breaches, 2 the restore could not run. See docs/audit.md.
`;

await runCommand({ usage, progress: 'Restoring' }, (args, parts) => {
  const text = { type: 'string' } as const;
  const options = readOptions(args, {
    gateway: { type: 'string', multiple: true },
    wallet: text,
    'ledger-id': text,
    wait: text,
    'most-bundles': text,
    'from-mirror': text,
    'abandon-pending': { type: 'boolean' },
    'keep-private': { type: 'boolean' },
  });
  if (options['keep-private'] && options['from-mirror']) {
    throw new CommandError('Give --keep-private or --from-mirror, not both: a backup has its own entries.');
  }
  const work = options['keep-private'] ? restoreKeepingPrivateRows : restore;
  return work(
    given({
      gateway: httpUrls('gateway', options.gateway),
      wallet: walletAddress('wallet', options.wallet),
      ledgerId: hex32('ledger-id', options['ledger-id']),
      wait: wholeNumber('wait', options.wait),
      mostBundles: wholeNumber('most-bundles', options['most-bundles']),
      fromMirror: httpUrl('from-mirror', options['from-mirror']),
      abandonPending: options['abandon-pending'],
    }),
    parts,
  );
});
