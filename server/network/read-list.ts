import {
  type ArweaveClient,
  type BundleOnNetwork,
  type BundleQuery,
  MOST_LISTED,
  tooManyListed,
} from './arweave-client.ts';
import { GatewayError } from './gateway-http.ts';
import { pauseBeforeRetry } from './retry.ts';

/** How long a list may take, and more for each full page. */
export const LIST_MS = 600_000;
const LIST_MS_PER_PAGE = 5_000;
export const PAGE = 100;

/**
 * The list of one gateway. After an error it continues at the last cursor, unless the query has a `limit`: such a list is short, and
 * the caller repeats it.
 * @param listMs how long it may take, in ms; 5 seconds more for each 100 transactions
 * @throws {GatewayError} `misbehaving` if it takes longer
 */
export async function* readList(
  client: ArweaveClient,
  query: BundleQuery,
  listMs: number,
): AsyncGenerator<BundleOnNetwork> {
  const began = performance.now();
  const most = query.most ?? MOST_LISTED;
  let listed = 0;
  let from: { after?: string } = {};
  for (let attempt = 0; ; attempt += 1) {
    try {
      for await (const bundle of client.bundles({ ...query, ...from })) {
        if (listed === most) throw tooManyListed(most, query.owner);
        const allowed = listMs + LIST_MS_PER_PAGE * Math.floor(listed / PAGE);
        if (performance.now() - began > allowed) {
          const sentence = `The gateway listed only ${listed} transactions of wallet ${query.owner} in ${Math.round(allowed / 1000)} seconds.`;
          throw new GatewayError('misbehaving', sentence);
        }
        yield bundle;
        listed += 1;
        from = { after: bundle.cursor };
        attempt = 0;
      }
      return;
    } catch (error) {
      if (query.limit !== undefined) throw error;
      await pauseBeforeRetry(error, attempt);
    }
  }
}
