import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { generateWallet, type Jwk, loadWallet, walletAddress } from '../../network/wallet.ts';
import { createControlRoutes, createControls, type DevnetControls } from './control.ts';
import { createFaults } from './faults.ts';
import { createGateway } from './gateway.ts';
import { type Answer, type DevnetRequest, listen, text } from './http.ts';
import { type DevnetState, openState } from './state.ts';

/** What the wallet of a new devnet has: a million AR. */
const FUNDS_WINSTON = 10n ** 18n;
/** Once everything has this many confirmations, nothing waits for blocks any more. */
const CONFIRMATIONS_OF_INTEREST = 60;

export type DevnetLog = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

export type Devnet = DevnetControls & {
  /** Of the gateway, on loopback. */
  url: string;
  /** A funded wallet of this devnet, and its key file. */
  wallet: Jwk;
  walletFile: string;
  /** Answers no more requests and closes the journal; every answered one is in it. */
  stop(): Promise<void>;
};

/**
 * Starts the embedded Arweave-compatible gateway: a chain of one node, permanent only as long as its directory. An
 * accepted transaction is fsynced before the answer; kill -9 at any moment loses nothing that was answered.
 * One process per directory.
 * @param options.port 0 takes a free one.
 * @param options.blockMs between blocks, while anything waits for them.
 * @param options.wallet for a new devnet, instead of making a key, which takes seconds.
 */
export async function startDevnet(options: {
  directory: string;
  port?: number;
  blockMs: number;
  log: DevnetLog;
  wallet?: Jwk;
}): Promise<Devnet> {
  const { directory, log } = options;
  await mkdir(directory, { recursive: true });
  const walletFile = join(directory, 'wallet.json');
  const wallet = await keptWallet(walletFile, options.wallet);
  const state = await openState(join(directory, 'journal'));
  if (state.cutBytes > 0) log.warn({ bytes: state.cutBytes }, 'devnet: an unfinished record was cut off the journal');
  const faults = createFaults();
  const controls = createControls(state, faults);
  if (state.chain.height < 0) {
    // The first block comes last: should a crash come between, the next start finds no chain and funds again.
    await Promise.all([controls.mint(walletAddress(wallet), FUNDS_WINSTON), controls.mine(1)]);
  }

  const gateway = createGateway(state, faults);
  const controlRoutes = createControlRoutes(state, faults, controls);
  async function answer(request: DevnetRequest): Promise<Answer> {
    const controlled = await controlRoutes(request);
    if (controlled) return controlled;
    if (faults.take('refuse')) return 'cut';
    if (!(await faults.delayed())) return 'cut';
    const error = faults.take('error');
    if (error) return text(error.status ?? 500, 'The devnet was told to fail.');
    return (await gateway(request)) ?? text(404, 'Not Found.');
  }
  const onError = (error: unknown, path: string) => log.error({ err: error, path }, 'devnet: a request failed');

  const server = await listen(options.port ?? 0, answer, onError).catch(async (error: unknown) => {
    await state.journal.close();
    throw error;
  });
  const miner = startMiner(state, controls, options.blockMs, log);
  log.info({ url: server.url, height: state.chain.height }, 'devnet: ready');
  return {
    ...controls,
    url: server.url,
    wallet,
    walletFile,
    async stop() {
      clearInterval(miner);
      faults.set({ mode: 'none' });
      await server.stop();
      await state.journal.close();
    },
  };
}

/** An idle chain stands still: mining on would only make the journal grow, and anchors expire, for nobody. */
function startMiner(state: DevnetState, controls: DevnetControls, blockMs: number, log: DevnetLog) {
  return setInterval(() => {
    const { chain, postedAtHeight } = state;
    const newest = Math.max(
      chain.mined.at(-1)?.place?.height ?? -CONFIRMATIONS_OF_INTEREST,
      postedAtHeight ?? -CONFIRMATIONS_OF_INTEREST,
    );
    const unsettled = chain.height - newest + 1 < CONFIRMATIONS_OF_INTEREST;
    if (!unsettled && chain.pending().length === 0) return;
    controls.mine(1).catch((error: unknown) => log.error({ err: error }, 'devnet: a block could not be written'));
  }, blockMs);
}

async function keptWallet(path: string, given: Jwk | undefined): Promise<Jwk> {
  const kept = await readWallet(path);
  if (kept) return kept;
  const wallet = given ?? (await generateWallet());
  const unfinished = `${path}.unfinished`;
  const file = await open(unfinished, 'w', 0o600);
  await file.writeFile(`${JSON.stringify(wallet)}\n`);
  await file.sync();
  await file.close();
  await rename(unfinished, path);
  return wallet;
}

async function readWallet(path: string): Promise<Jwk | undefined> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return undefined;
  const text = await file.readFile('utf8').finally(() => file.close());
  const jwk = JSON.parse(text) as Jwk;
  loadWallet(jwk);
  return jwk;
}
