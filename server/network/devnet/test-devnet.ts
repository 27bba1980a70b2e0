import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ArweaveClient, createArweaveClient } from '../arweave-client.ts';
import type { SignedTransaction, TransactionTag } from '../arweave-transaction.ts';
import { testWallet } from '../test-wallet.ts';
import { type Jwk, loadWallet, signTransaction } from '../wallet.ts';
import { type Devnet, startDevnet } from './devnet.ts';
import type { DevnetKind } from './state.ts';

const NEVER = 2 ** 30;
export const quiet = { info: () => {}, warn: () => {}, error: () => {} };

export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'perpetua-devnet-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** A devnet for one test, with a funded wallet. It mines only on request unless `blockMs` is set. */
export async function testDevnet(
  options: { directory?: string; blockMs?: number; kind?: DevnetKind } = {},
): Promise<Devnet> {
  const directory = options.directory ?? (await temporaryDirectory());
  const wallet = await testWallet();
  const { blockMs = NEVER, kind = 'gateway' } = options;
  const devnet = await startDevnet({ directory, blockMs, log: quiet, wallet, kind });
  onTestFinished(() => devnet.stop().catch(() => undefined));
  return devnet;
}

export function clientOf({ url }: { url: string }, timeoutMs = 5_000): ArweaveClient {
  return createArweaveClient({ gatewayUrl: url, timeoutMs });
}

/** A signed transaction that the gateway should accept. */
export async function signed(
  client: ArweaveClient,
  data: Uint8Array,
  options: { tags?: TransactionTag[]; wallet?: Jwk } = {},
): Promise<{ id: string; json: SignedTransaction; data: Uint8Array }> {
  const wallet = loadWallet(options.wallet ?? (await testWallet()));
  const [anchor, reward] = await Promise.all([client.anchor(), client.price(data.byteLength)]);
  const { id, json } = await signTransaction(wallet, { data, tags: options.tags ?? [], anchor, reward });
  return { id, json, data };
}

export async function postSigned(
  client: ArweaveClient,
  data: Uint8Array,
  options: { tags?: TransactionTag[]; wallet?: Jwk } = {},
): Promise<{ id: string; json: SignedTransaction; data: Uint8Array }> {
  const transaction = await signed(client, data, options);
  await client.post(transaction.json, data);
  return transaction;
}

export async function collect<Element>(elements: AsyncIterable<Element>): Promise<Element[]> {
  const collected: Element[] = [];
  for await (const element of elements) collected.push(element);
  return collected;
}
