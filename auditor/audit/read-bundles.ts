import { type ArweaveClient, GatewayError } from '../../server/network/arweave-client.ts';
import { withRetries } from '../../server/network/retry.ts';
import type { ListedBundle } from './bundle-list.ts';
import { rangeProblem } from './check-posting.ts';
import type { CheckedBundle } from './checked.ts';
import type { Checkers } from './checkers.ts';
import { proveBundle } from './prove-bundle.ts';

export interface FetchedBundle extends CheckedBundle {
  readonly bundle: ListedBundle;
}

/** The source of the bundles, and the threads that check them. */
export interface ReadParts {
  readonly client: ArweaveClient;
  readonly wallet: string;
  readonly checkers: Checkers;
}

/** Bundles that are fetched ahead for each thread; with AHEAD_BYTES this bounds the memory. */
const AHEAD_PER_THREAD = 3;
/** Far more than the relay loop packs into a bundle. A larger bundle is fetched separately when it is next. */
const AHEAD_BYTES = 4 * 1024 * 1024;
const MAX_BYTES = 64 * 1024 * 1024;
const NO_BYTES = new Uint8Array(0);

/**
 * Fetches and checks bundles concurrently and yields them in the given order. A bundle without bytes is `unreadable`.
 * @throws {GatewayError} if the gateway stays unavailable, or serves bytes that the wallet has not posted.
 */
export async function* readBundles(parts: ReadParts, bundles: readonly ListedBundle[]): AsyncGenerator<FetchedBundle> {
  const ahead: { bundle: ListedBundle; reading: Promise<FetchedBundle | null> }[] = [];
  const mostAhead = AHEAD_PER_THREAD * parts.checkers.threads;
  let next = 0;
  while (next < bundles.length || ahead.length > 0) {
    while (ahead.length < mostAhead) {
      const bundle = bundles[next++];
      if (!bundle) break;
      const reading = readWithin(parts, bundle, AHEAD_BYTES).catch(nullIfTooLarge);
      reading.catch(() => undefined);
      ahead.push({ bundle, reading });
    }
    const first = ahead.shift();
    if (first) yield (await first.reading) ?? (await readBundle(parts, first.bundle));
  }
}

export const readBundle = (parts: ReadParts, bundle: ListedBundle): Promise<FetchedBundle> =>
  readWithin(parts, bundle, MAX_BYTES);

function nullIfTooLarge(error: unknown): null {
  if (error instanceof GatewayError && error.kind === 'too_large') return null;
  throw error;
}

async function readWithin(parts: ReadParts, bundle: ListedBundle, limit: number): Promise<FetchedBundle> {
  const { client, wallet, checkers } = parts;
  const bytes = await fetchData(client, bundle.id, limit);
  if (typeof bytes === 'string') {
    await proveBundle(client, wallet, bundle, null);
    return { bundle, bytes: NO_BYTES, items: [], unreadable: bytes };
  }
  const fetched = { bundle, ...(await checkers.check(bytes)) };
  if (isDoubtful(fetched)) await proveBundle(client, wallet, bundle, bytes);
  return fetched.unreadable === null ? fetched : { ...fetched, bytes: NO_BYTES };
}

/** Whether a bundle has a fault that the gateway could have caused. */
const isDoubtful = (fetched: FetchedBundle): boolean =>
  fetched.unreadable !== null ||
  fetched.items.some(({ genuine, problems }) => !genuine || problems.length > 0) ||
  rangeProblem(fetched) !== null;

/** The bytes, or the gateway's message that it has none. */
const fetchData = (client: ArweaveClient, id: string, limit: number): Promise<Buffer | string> =>
  withRetries(() => client.data(id, { limit })).catch((error: unknown) => {
    if (error instanceof GatewayError && error.kind === 'missing') return error.message;
    throw error;
  });
