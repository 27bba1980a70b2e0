import { join } from 'node:path';
import { readIfThere, writeSecret } from './keys.ts';
import { startDevnet } from './network/devnet/devnet.ts';
import { generateWallet, loadWallet, type Wallet } from './network/wallet.ts';

export interface EmbeddedNetwork {
  readonly url: string;
  readonly wallet: Wallet;
  stop(): Promise<void>;
}

/** What the embedded wallet begins with: enough for some ten thousand bundles. */
const FUNDS_WINSTON = 10n ** 15n;

/** The embedded devnet with a wallet that it has funded. Everything it keeps is under `dataDir`/devnet. */
export async function startEmbeddedNetwork(
  dataDir: string,
  blockMs: number,
  log: (message: string) => void,
): Promise<EmbeddedNetwork> {
  const directory = join(dataDir, 'devnet');
  const devnet = await startDevnet({ directory, blockMs, log });
  const wallet = await embeddedWallet(join(dataDir, 'devnet-wallet.json'));
  const response = await fetch(`${devnet.url}/wallet/${wallet.address}/balance`);
  if ((await response.text()) === '0') await fetch(`${devnet.url}/mint/${wallet.address}/${FUNDS_WINSTON}`);
  return { url: devnet.url, wallet, stop: () => devnet.stop() };
}

async function embeddedWallet(path: string): Promise<Wallet> {
  const found = readIfThere(path) ?? writeSecret(path, JSON.stringify(await generateWallet()));
  return loadWallet(JSON.parse(found));
}
