import { type ArweaveClient, GatewayError } from '../network/arweave-client.ts';
import type { ListedBundle } from './bundle-list.ts';
import type { CheckedBundle } from './checked.ts';
import type { Checkers } from './checkers.ts';
import { waitAfter } from './patience.ts';

export interface WalkedBundle extends CheckedBundle {
  readonly bundle: ListedBundle;
}

/** Bundles that are being fetched, checked, or wait for their turn; this bounds the memory of a walk. */
const LOOK_AHEAD = 12;

/**
 * Fetches and checks bundles, many at a time, and gives them out in the order they were named.
 * @throws {GatewayError} when the gateway does not answer for good. Bytes it does not have are `unreadable`.
 */
export async function* walk(
  client: ArweaveClient,
  checkers: Checkers,
  bundles: readonly ListedBundle[],
): AsyncGenerator<WalkedBundle> {
  const ahead: Promise<WalkedBundle>[] = [];
  let next = 0;
  while (next < bundles.length || ahead.length > 0) {
    while (ahead.length < LOOK_AHEAD) {
      const bundle = bundles[next++];
      if (!bundle) break;
      const reading = readBundle(client, checkers, bundle);
      reading.catch(() => undefined);
      ahead.push(reading);
    }
    const walked = await ahead.shift();
    if (walked) yield walked;
  }
}

export async function readBundle(
  client: ArweaveClient,
  checkers: Checkers,
  bundle: ListedBundle,
): Promise<WalkedBundle> {
  const bytes = await fetchPatiently(client, bundle.id);
  if (typeof bytes !== 'string') return { bundle, ...(await checkers.check(bytes)) };
  return { bundle, bytes: new Uint8Array(0), items: [], unreadable: bytes };
}

/** The bytes, or the sentence with which the gateway says that it has none. */
async function fetchPatiently(client: ArweaveClient, id: string): Promise<Buffer | string> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await client.data(id);
    } catch (error) {
      if (error instanceof GatewayError && error.kind === 'rejected') return error.message;
      await waitAfter(error, attempt);
    }
  }
}
