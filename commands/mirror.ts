import { readFileSync } from 'node:fs';
import { POLICY_OPTIONS, policyOptions } from '../auditor/audit/log-checkpoint.ts';
import { checkEvidence } from '../auditor/mirror/evidence.ts';
import { startMirror } from '../auditor/mirror/mirror.ts';
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
import { runCommand } from './command.ts';

const usage = `npm run mirror -- --of URL [options]

Follows the ledger of a service, verifies every entry, compares it with the storage network, and serves its public reads. It keeps
its own database in DATA_DIR, or DATABASE_URL, and continues where it was. If the relayer breaks the rules, it writes a file of
evidence to DATA_DIR/evidence and keeps serving what it verified. It runs until it is stopped.

  --of URL               the service
  --ledger-id HEX        the id of its ledger; otherwise the one that the service states at the first start is trusted
  --port N               the port to serve on (PORT)
  --gateway URLS         Arweave gateways, separated by commas, instead of the one that the service states
  --allow-private        the gateway that the service states may have a private address, as in a laboratory network
  --wallet ADDRESS       the wallet that posts the ledger, instead of the one that the service states; at the first start
  --relayer-key HEX      the first key of the relayer. With --gateway and --wallet, and without --of, the network alone is read
  --max-delay SECONDS    the maximum time between acceptance and block, instead of the one that the service states; at the first start
  --checkpoint-key VKEY  the key of the transparency log; otherwise the one that the service states at the first start is trusted
  --witness VKEY         the key of a witness that must have cosigned the checkpoints; give several
  --quorum N             how many of these witnesses (all of them)
  --check-evidence FILE  checks a file of evidence and exits: 0 it proves a breach, 3 only the whole ledger can, 1 it proves nothing

See docs/transparency.md.
`;

/** Far more than two entries with ciphertexts. */
const MAX_EVIDENCE_BYTES = 64 * 1024 * 1024;

await runCommand({ usage, progress: 'Mirroring' }, async (args, parts) => {
  const text = { type: 'string' } as const;
  const options = readOptions(args, {
    of: text,
    gateway: { type: 'string', multiple: true },
    'allow-private': { type: 'boolean' },
    wallet: text,
    'relayer-key': text,
    'ledger-id': text,
    port: text,
    'max-delay': text,
    'check-evidence': text,
    ...POLICY_OPTIONS,
  });
  const file = options['check-evidence'];
  if (file !== undefined) {
    const { verdict, sentence } = checkEvidence(readEvidence(file));
    parts.print(`${verdict}: ${sentence}`);
    return { proven: 'clean', unproven: 'asserted', invalid: 'breach' }[verdict] as 'clean' | 'asserted' | 'breach';
  }
  const { url, following } = await startMirror(
    given({
      of: httpUrl('of', options.of),
      gateway: httpUrls('gateway', options.gateway),
      allowPrivate: options['allow-private'],
      wallet: walletAddress('wallet', options.wallet),
      relayerKey: hex32('relayer-key', options['relayer-key']),
      ledgerId: hex32('ledger-id', options['ledger-id']),
      maxDelay: wholeNumber('max-delay', options['max-delay']),
      policy: policyOptions(options),
      port: wholeNumber('port', options.port),
    }),
    parts,
  );
  parts.print(`The mirror serves on ${url}, verified to entry ${following.verifiedTo()}.`);
  // Runs until a signal stops it.
  return new Promise<never>(() => undefined);
});

function readEvidence(file: string): string {
  try {
    const bytes = readFileSync(file);
    if (bytes.byteLength <= MAX_EVIDENCE_BYTES) return bytes.toString();
  } catch (error) {
    throw new CommandError(`The file ${file} cannot be read: ${(error as Error).message}`);
  }
  throw new CommandError(`The file ${file} is larger than ${MAX_EVIDENCE_BYTES} bytes.`);
}
