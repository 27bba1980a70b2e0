import { createHash, randomBytes } from 'node:crypto';
import type { Config } from '../../server/config.ts';
import { inAr } from '../../server/ledger/spending.ts';
import { createArweaveClient, GatewayError } from '../../server/network/arweave-client.ts';
import { createGateways } from '../../server/network/gateways.ts';
import { loadWallet, signTransaction } from '../../server/network/wallet.ts';
import { reasonOf } from './check.ts';

export interface PostParts {
  /** Receives a line whenever something changes. */
  readonly note: (line: string) => void;
  /** Waits before the gateways are asked again. */
  readonly pause: () => Promise<void>;
  /** In ms. */
  readonly now: () => number;
  /** How long the transaction is followed, in ms. */
  readonly longestMs: number;
}

/** What a gateway showed, in seconds after the post; null if it has not. */
export interface Followed {
  readonly gateway: string;
  pendingAfter: number | null;
  minedAfter: number | null;
  block: number | null;
  readBackAfter: number | null;
  /** Its last failure since it showed something. */
  problem: string | null;
}

export type PostResult =
  | { readonly refused: string }
  | {
      readonly id: string;
      readonly winston: string;
      /** The gateway that took it: the first one. Others receive it over the network. */
      readonly postedTo: string;
      readonly gateways: readonly Followed[];
    };

/** Neither the relay nor an audit takes it for a bundle of a ledger, whose App-Name is "Perpetua". */
const TAGS = [
  { name: 'App-Name', value: 'Perpetua-Doctor' },
  { name: 'Content-Type', value: 'text/plain' },
];
const TIMEOUT_MS = 15_000;

/**
 * Posts one small transaction to one gateway, and follows it on each until its data are read back.
 * @throws {GatewayError} if no gateway states a price, or takes it
 */
export async function postOnce(config: Config, { note, pause, now, longestMs }: PostParts): Promise<PostResult> {
  const { ARWEAVE_GATEWAY_URL: urls, ARWEAVE_WALLET_FILE, MAX_WINSTON_PER_BUNDLE: cap } = config;
  if (!urls || !ARWEAVE_WALLET_FILE) {
    return { refused: 'ARWEAVE_GATEWAY_URL and ARWEAVE_WALLET_FILE are not set: there is no network to post to.' };
  }
  const wallet = loadWallet(ARWEAVE_WALLET_FILE);
  const data = Buffer.from(`Perpetua doctor ${randomBytes(16).toString('hex')}\n`);
  const network = createGateways(urls, { timeoutMs: TIMEOUT_MS });
  const [anchor, reward, balance] = await Promise.all([
    network.anchor(),
    network.price(data.length),
    network.balance(wallet.address),
  ]);
  if (reward > cap) return { refused: `The price of ${reward} winston is above MAX_WINSTON_PER_BUNDLE (${cap}).` };
  if (reward > balance) {
    return { refused: `The wallet ${wallet.address} holds ${balance} winston, and the transaction costs ${reward}.` };
  }
  const { id, json } = await signTransaction(wallet, { data, tags: TAGS, anchor, reward });
  note(`Posting transaction ${id}: ${data.length} bytes for ${reward} winston (${inAr(reward)} AR).`);

  const members = urls.map((url) => ({ url, client: createArweaveClient({ gatewayUrl: url, timeoutMs: TIMEOUT_MS }) }));
  const failures: string[] = [];
  let postedTo: string | null = null;
  for (const { url, client } of members) {
    try {
      await client.post(json, data);
      postedTo = url;
      break;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      failures.push(`${url}: ${error.message}`);
      note(`${url} did not take it: ${error.message}`);
    }
  }
  if (postedTo === null) {
    throw new GatewayError('unavailable', `No gateway took transaction ${id}. ${failures.join(' ')}`);
  }
  note(`${postedTo} took it. It is followed on ${urls.length === 1 ? 'this gateway' : 'every gateway'}.`);

  const began = now();
  const expected = { bytes: data.length, sha256: createHash('sha256').update(data).digest('hex') };
  const followed = members.map(({ url, client }) => ({ client, state: beginning(url) }));
  const isDone = ({ state }: (typeof followed)[number]) => state.readBackAfter !== null;
  while (!followed.every(isDone) && now() - began < longestMs) {
    await Promise.all(
      followed
        .filter((one) => !isDone(one))
        .map(async ({ client, state }) => {
          const after = () => Math.round((now() - began) / 1000);
          try {
            if (state.minedAfter === null) {
              const status = await client.status(id);
              state.problem = null;
              if (status.state === 'pending' && state.pendingAfter === null) {
                state.pendingAfter = after();
                note(`${state.gateway} shows it as pending after ${state.pendingAfter} s.`);
              }
              if (status.state !== 'mined') return;
              state.minedAfter = after();
              state.block = status.blockHeight;
              note(`${state.gateway} shows it in block ${state.block} after ${state.minedAfter} s.`);
            }
            const { isWhole, lacking, unavailable } = await client.readBack(id, expected);
            state.problem = [...lacking, ...unavailable][0]?.message ?? null;
            if (!isWhole) return;
            state.readBackAfter = after();
            note(`${state.gateway} returns its data after ${state.readBackAfter} s.`);
          } catch (error) {
            if (!(error instanceof GatewayError)) throw error;
            state.problem = reasonOf(error);
          }
        }),
    );
    if (!followed.every(isDone)) await pause();
  }
  return { id, winston: reward.toString(), postedTo, gateways: followed.map(({ state }) => state) };
}

const beginning = (gateway: string): Followed => ({
  ...{ gateway, pendingAfter: null, minedAfter: null, block: null, readBackAfter: null, problem: null },
});

type Posted = Exclude<PostResult, { readonly refused: string }>;

export const isReadBackEverywhere = ({ gateways }: Posted): boolean =>
  gateways.every(({ readBackAfter }) => readBackAfter !== null);

/** One line for the transaction, and one for each gateway. */
export function describePost({ id, winston, postedTo, gateways }: Posted): string[] {
  return [
    `Transaction ${id} cost ${winston} winston (${inAr(BigInt(winston))} AR) and was posted to ${postedTo}.`,
    ...gateways.map(({ gateway, minedAfter, block, readBackAfter, problem }) => {
      const mined = minedAfter === null ? 'not mined' : `mined after ${minedAfter} s in block ${block}`;
      const read = readBackAfter === null ? 'data NOT read back' : `data read back after ${readBackAfter} s`;
      return `  ${gateway}: ${mined}, ${read}${problem === null ? '' : ` (${problem})`}`;
    }),
  ];
}
