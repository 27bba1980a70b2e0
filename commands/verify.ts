import { POLICY_OPTIONS, policyOptions } from '../auditor/audit/log-checkpoint.ts';
import { verify } from '../auditor/audit/verify.ts';
import {
  given,
  hex32,
  httpUrl,
  httpUrls,
  readOptions,
  walletAddress,
  wholeNumber,
} from '../server/platform/command-line/options.ts';
import { runCommand } from './command.ts';

const usage = `npm run verify [-- options]

Checks the whole ledger on the storage network: every signature, the chain, the times and the replayed state.

Without options it uses the settings of the service (docs/operations.md) and compares every identity, institution, consent and
proposal with the database, whether the service is running or not. With options it needs no settings:

  --gateway URL        an Arweave gateway; give several, and none of them is trusted
  --wallet ADDRESS     the wallet that posts the ledger
  --relayer-key HEX    the public key that signs it
  --api URL            a running service to compare with; the three values above default to those of the service
  --allow-private      the gateway that the service states may have a private address, as in a laboratory network
  --sample N           how many identities, institutions and consents to compare, the newest and random ones (50)
  --max-delay SECONDS  the maximum time between acceptance and block (the value of the service, else 86400)
  --most-bundles N     the maximum number of transactions that a gateway may list for the wallet (1000000)
  --checkpoint-key VKEY the key of the transparency log (that of the service, which then vouches for itself)
  --witness VKEY       the key of a witness that must have cosigned the checkpoint of --api; give several
  --quorum N           how many of these witnesses (all of them)
  --state DIR          stores what was verified in DIR; the next run with it verifies only what is new
  --ledger-id HEX      the id of the ledger, if it is not the hash of the relayer key

Exit status: 0 clean, 1 breaches, 2 no breach, but a part could not be checked, 3 no breach, but recoveries that only the relayer asserts. See docs/audit.md.
`;

await runCommand({ usage, progress: 'Verifying' }, (args, parts) => {
  const text = { type: 'string' } as const;
  const options = readOptions(args, {
    gateway: { type: 'string', multiple: true },
    wallet: text,
    'relayer-key': text,
    'ledger-id': text,
    api: text,
    'allow-private': { type: 'boolean' },
    sample: text,
    'max-delay': text,
    'most-bundles': text,
    state: text,
    ...POLICY_OPTIONS,
  });
  return verify(
    given({
      policy: policyOptions(options),
      gateway: httpUrls('gateway', options.gateway),
      wallet: walletAddress('wallet', options.wallet),
      relayerKey: hex32('relayer-key', options['relayer-key']),
      ledgerId: hex32('ledger-id', options['ledger-id']),
      api: httpUrl('api', options.api),
      allowPrivate: options['allow-private'],
      sample: wholeNumber('sample', options.sample),
      maxDelay: wholeNumber('max-delay', options['max-delay']),
      state: options.state,
      mostBundles: wholeNumber('most-bundles', options['most-bundles']),
    }),
    parts,
  );
});
