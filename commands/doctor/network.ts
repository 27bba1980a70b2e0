import type { Config } from '../../server/config.ts';
import { daysLeft, readSpending } from '../../server/ledger/spending.ts';
import { createGateways } from '../../server/network/gateways.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { createPool } from '../../server/platform/db/pool.ts';
import { type Check, type Finding, failure, warning } from './check.ts';

const BUNDLE_BYTES = 256 * 1024;
const TIMEOUT_MS = 10_000;
const MAX_CLOCK_DIFFERENCE_MS = 30_000;
const FEW_DAYS = 14;
const SPENDING_DAYS = 7;

const skips = ({ ARWEAVE_GATEWAY_URL }: Config): string | null =>
  ARWEAVE_GATEWAY_URL ? null : 'the embedded devnet is used, which is not permanent';

const walletOf = ({ ARWEAVE_WALLET_FILE = '' }: Config) => loadWallet(ARWEAVE_WALLET_FILE);

/** The findings on every gateway; each names its gateway if there are several. */
async function ofEachGateway(
  { ARWEAVE_GATEWAY_URL: urls = [] }: Config,
  find: (url: string, name: string) => Promise<readonly Finding[]>,
): Promise<Finding[]> {
  const found = await Promise.all(urls.map((url) => find(url, urls.length === 1 ? 'gateway' : `gateway ${url}`)));
  return found.flat();
}

/** By the Date header, which has whole seconds. */
export const gatewayClock: Check = {
  name: 'clock of the gateway',
  skips,
  run: (config) =>
    ofEachGateway(config, async (url, name) => {
      const info = `${url.replace(/\/+$/, '')}/info`;
      const response = await fetch(info, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
        () => null,
      );
      const date = Date.parse(response?.headers.get('date') ?? '');
      await response?.body?.cancel();
      const seconds = Math.round((Date.now() - date) / 1000);
      if (Number.isNaN(date) || Math.abs(seconds * 1000) <= MAX_CLOCK_DIFFERENCE_MS) return [];
      const by = `${Math.abs(seconds)} seconds ${seconds > 0 ? 'ahead of' : 'behind'}`;
      return [
        warning(`The clock of this machine is ${by} that of the ${name}.`, 'Synchronise it, for example with NTP.'),
      ];
    }),
};

export const wallet: Check = {
  name: 'wallet',
  skips,
  async run(config) {
    const client = createGateways(config.ARWEAVE_GATEWAY_URL ?? [], { timeoutMs: TIMEOUT_MS });
    const { address } = walletOf(config);
    const [balance, price] = await Promise.all([client.balance(address), client.price(BUNDLE_BYTES)]);
    const fund = `Send tokens to ${address}.`;
    const tooDear: Finding[] =
      price > config.MAX_WINSTON_PER_BUNDLE
        ? [
            failure(
              `A full bundle costs ${price} winston, more than MAX_WINSTON_PER_BUNDLE (${config.MAX_WINSTON_PER_BUNDLE}), so nothing is posted.`,
              'Raise the limit, or wait until the price falls.',
            ),
          ]
        : [];
    if (balance < price) {
      return [...tooDear, failure(`The wallet holds ${balance} winston, and the next bundle costs ${price}.`, fund)];
    }
    const days = await daysOfBalance(config, balance);
    const few = days !== null && days < FEW_DAYS;
    return few
      ? [...tooDear, warning(`The balance lasts ${Math.floor(days)} days at the spending of the last week.`, fund)]
      : tooDear;
  },
};

/** Null without a database of bundles to go by. */
async function daysOfBalance({ DATABASE_URL }: Config, balance: bigint): Promise<number | null> {
  if (!DATABASE_URL) return null;
  const pool = createPool(DATABASE_URL, 1, () => undefined);
  try {
    return daysLeft(balance, await readSpending(pool, SPENDING_DAYS));
  } catch {
    return null;
  } finally {
    await pool.end();
  }
}
