import { restore } from '../audit/restore.ts';
import { given, hex32, httpUrl, readOptions, walletAddress, wholeNumber } from '../operator/options.ts';
import { runCommand } from './command.ts';

const usage = `npm run restore [-- options]

Rebuilds the public state into an empty database, from nothing but the storage network and the relayer's private key, with
every check of "npm run verify", and begins a new epoch. All or nothing: a crash leaves the database empty. The settings of
the service say where the database, the network and the key are (docs/operations.md).

  --gateway URL        the Arweave gateway to read from, instead of the one in the settings; needs --wallet
  --wallet ADDRESS     the wallet that posted the ledger, instead of the one in the settings
  --most-bundles N     how many transactions of the wallet are listed before the gateway is not believed (1000000)
  --ledger-id HEX      the id of the ledger, where it is not the hash of the relayer key
  --wait SECONDS       how long posted bundles are waited for that are not mined yet (3600)
  --abandon-pending    go on without them afterwards; their entries are then not part of the ledger any more

Exit status: 0 restored, 1 the ledger on the network has breaches, 2 it could not begin. See docs/audit.md.
`;

await runCommand({ usage, progress: 'Restoring' }, (args, parts) => {
  const text = { type: 'string' } as const;
  const options = readOptions(args, {
    gateway: text,
    wallet: text,
    'ledger-id': text,
    wait: text,
    'most-bundles': text,
    'abandon-pending': { type: 'boolean' },
  });
  return restore(
    given({
      gateway: httpUrl('gateway', options.gateway),
      wallet: walletAddress('wallet', options.wallet),
      ledgerId: hex32('ledger-id', options['ledger-id']),
      wait: wholeNumber('wait', options.wait),
      mostBundles: wholeNumber('most-bundles', options['most-bundles']),
      abandonPending: options['abandon-pending'],
    }),
    parts,
  );
});
