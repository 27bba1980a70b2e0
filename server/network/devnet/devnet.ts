import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { generateWallet, type Jwk, loadWallet, walletAddress } from '../wallet.ts';
import { createControlRoutes, createControls, type DevnetControls } from './devnet-control.ts';
import { type Answer, type DevnetRequest, listen, text } from './devnet-server.ts';
import { createFaults } from './faults.ts';
import { createGateway } from './gateway.ts';
import { type DevnetKind, type DevnetState, openState } from './state.ts';

/** The initial balance of a new devnet's wallet: a million AR. */
const FUNDS_WINSTON = 10n ** 18n;
/** Mining stops once every transaction has this many confirmations. */
const CONFIRMATIONS_OF_INTEREST = 60;

export type DevnetLog = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
};

export type Devnet = DevnetControls & {
  /** The gateway's URL, on loopback. */
  url: string;
  /** A funded wallet of this devnet, and its key file. */
  wallet: Jwk;
  walletFile: string;
  /** Stops the server and closes the journal, which contains every acknowledged transaction. */
  stop(): Promise<void>;
};

/**
 * Starts the embedded Arweave-compatible gateway: a chain with one node, stored in `directory`, which only one process
 * may use. A transaction is fsynced before it is acknowledged, so that kill -9 loses none.
 * @param options.port 0 for a free one
 * @param options.blockMs time between blocks while a transaction needs confirmations
 * @param options.wallet for a new devnet; saves generating a key, which takes seconds
 * @param options.kind how it answers until `setKind` changes that; not kept over a restart
 */
export async function startDevnet(options: {
  directory: string;
  port?: number;
  blockMs: number;
  log: DevnetLog;
  wallet?: Jwk;
  kind?: DevnetKind;
}): Promise<Devnet> {
  const { directory, log } = options;
  await mkdir(directory, { recursive: true });
  const walletFile = join(directory, 'wallet.json');
  const wallet = await loadOrCreateWallet(walletFile, options.wallet);
  const state = await openState(join(directory, 'journal'));
  if (state.cutBytes > 0)
    log.warn({ bytes: state.cutBytes }, 'devnet: removed an incomplete record from the end of the journal');
  const faults = createFaults();
  const controls = createControls(state, faults);
  controls.setKind(options.kind ?? 'gateway');
  if (state.chain.height < 0) {
    // The block is written last: if the process crashes between the two, the next start funds the wallet again.
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
    if (error) {
      const headers = error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) };
      return { ...text(error.status ?? 500, 'Injected fault.'), headers };
    }
    return gateway(request);
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

/** An idle chain does not mine: blocks would only grow the journal and expire anchors. */
function startMiner(state: DevnetState, controls: DevnetControls, blockMs: number, log: DevnetLog) {
  return setInterval(() => {
    const { chain, postedAtHeight } = state;
    const newest = Math.max(
      chain.mined.at(-1)?.place?.height ?? -CONFIRMATIONS_OF_INTEREST,
      postedAtHeight ?? -CONFIRMATIONS_OF_INTEREST,
    );
    const unsettled = chain.height - newest + 1 < CONFIRMATIONS_OF_INTEREST;
    if (!unsettled && chain.pending().length === 0) return;
    controls.mine(1).catch((error: unknown) => log.error({ err: error }, 'devnet: writing a block failed'));
  }, blockMs);
}

async function loadOrCreateWallet(path: string, initial: Jwk | undefined): Promise<Jwk> {
  const stored = await readWallet(path);
  if (stored) return stored;
  const wallet = initial ?? (await generateWallet());
  const temporary = `${path}.unfinished`;
  const file = await open(temporary, 'w', 0o600);
  await file.writeFile(`${JSON.stringify(wallet)}\n`);
  await file.sync();
  await file.close();
  await rename(temporary, path);
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
