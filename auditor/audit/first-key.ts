import { type LedgerId, ledgerIdOf } from '../../protocol/ids.ts';
import { decodeEntry } from '../../protocol/ledger/entry.ts';
import { parseBundle, parseItem, verifyItem } from '../../server/ledger/ans104.ts';
import { type ArweaveClient, GatewayError } from '../../server/network/arweave-client.ts';
import { withRetries } from '../../server/network/retry.ts';
import { CommandError } from '../../server/platform/command-line/options.ts';
import { bundlesFrom } from './bundle-list.ts';
import type { Rules } from './checked.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** @param relayerKey the first key, hex */
export function rulesOf(relayerKey: string, ledgerId: string | undefined, suffix: string | null): Rules {
  const key = relayerKey.toLowerCase();
  return { relayerKey: key, ledgerId: (ledgerId?.toLowerCase() as LedgerId | undefined) ?? ledgerIdOf(key), suffix };
}

interface Known {
  /** Keys that sign the ledger now or did, in hex. */
  readonly keys: readonly string[];
  readonly ledgerId: string | undefined;
  readonly suffix: string | null;
}

/**
 * The rules for a ledger whose relayer may have changed its key: its id is the digest of the key that signed entry 1. Whether that
 * key authorized the known one is for the audit.
 * @throws {CommandError} if the wallet has posted several ledgers, and none of them is named or began with a known key
 */
export async function findRules(
  client: ArweaveClient,
  wallet: string,
  { keys, ledgerId, suffix }: Known,
): Promise<Rules> {
  const own = keys.find((key) => ledgerId === undefined || ledgerIdOf(key) === ledgerId);
  const found = own !== undefined && ledgerId !== undefined ? [] : await keysOfFirstEntry(client, wallet);
  const possible = found.filter((key) => ledgerId === undefined || ledgerIdOf(key) === ledgerId);
  const [key, ...others] = possible.some((first) => keys.includes(first)) ? [] : possible;
  if (others.length > 0) {
    const ids = possible.map(ledgerIdOf).join(', ');
    throw new CommandError(
      `The wallet ${wallet} has posted several ledgers: give the id of one with --ledger-id (${ids}).`,
    );
  }
  const relayerKey = key ?? keys.find((known) => possible.includes(known)) ?? own ?? keys[0] ?? '';
  return rulesOf(relayerKey, ledgerId, suffix);
}

/** The keys that signed an entry 1 on the network. A bundle that cannot be read is for the audit to report. */
async function keysOfFirstEntry(client: ArweaveClient, wallet: string): Promise<string[]> {
  const owners = new Set<string>();
  for (const { id } of await withRetries(() => bundlesFrom(client, wallet, 1))) {
    const bytes = await withRetries(() => client.data(id, { limit: MAX_BYTES })).catch((error: unknown) => {
      if (error instanceof GatewayError && error.kind === 'missing') return new Uint8Array();
      throw error;
    });
    for (const owner of ownersIn(bytes)) owners.add(owner);
  }
  return [...owners];
}

function ownersIn(bundle: Uint8Array): string[] {
  try {
    return parseBundle(bundle).flatMap(({ bytes }) => {
      const item = parseItem(bytes);
      const isFirst = item.signatureType === 2 && decodeEntry(item.data).seq === 1 && verifyItem(item);
      return isFirst ? [Buffer.from(item.owner).toString('hex')] : [];
    });
  } catch {
    return [];
  }
}
