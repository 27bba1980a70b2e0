import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { onTestFinished } from 'vitest';
import { ledgerIdOf } from '../../protocol/ids.ts';
import { createArweaveClient } from '../network/arweave-client.ts';
import { type Devnet, startDevnet } from '../network/devnet/devnet.ts';
import type { DevnetKind } from '../network/devnet/state.ts';
import { testWallet } from '../network/test-wallet.ts';
import { loadWallet } from '../network/wallet.ts';
import { loadRelayerKey } from '../platform/data-folder/key-files.ts';
import { createPool } from '../platform/db/pool.ts';
import { runAll } from '../platform/db/statement.ts';
import { migratedDatabase } from '../platform/db/test-database.ts';
import { createItemSigner } from './ans104.ts';
import { headAfter, insertEntries, moveHead } from './append.ts';
import type { BundleRow } from './bundle-rows.ts';
import { type ChainedEntry, chain } from './chain.ts';
import { beginLedger, lockHead } from './head.ts';
import type { RelayParts } from './relay.ts';
import { type OnNetwork, readNetwork } from './test-network.ts';

export interface TestRelay {
  readonly parts: RelayParts;
  readonly pool: Pool;
  readonly databaseUrl: string;
  readonly devnet: Devnet;
  readonly address: string;
  /** Appends entries with messages of `bytes` bytes. Returns their ids. */
  accept(count: number, bytes?: number): Promise<string[]>;
  bundles(): Promise<(BundleRow & { readonly transaction: object; readonly superseded_tx: readonly string[] })[]>;
  network(): Promise<OnNetwork>;
  /** Winston that the wallet has spent so far. */
  spent(): Promise<bigint>;
}

const NEVER = 2 ** 30;

/** A ledger with its own database and devnet for one test. The devnet mines only on request, and no loop runs. */
export async function testRelay(settings: Partial<RelayParts> = {}, kind: DevnetKind = 'gateway'): Promise<TestRelay> {
  const directory = await mkdtemp(join(tmpdir(), 'perpetua-relay-'));
  const database = await migratedDatabase();
  const pool = createPool(database.url, 4, () => undefined);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const devnet = await startDevnet({ directory, blockMs: NEVER, log, wallet: await testWallet(), kind });
  onTestFinished(async () => {
    await pool.end();
    await devnet.stop();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  });

  const relayer = loadRelayerKey({ DATA_DIR: directory });
  const signer = createItemSigner(relayer.privateKey, relayer.publicKey);
  const publicKey = relayer.publicKey.toString('hex');
  await beginLedger(pool, ledgerIdOf(publicKey), publicKey);
  const wallet = loadWallet(devnet.wallet);
  const client = createArweaveClient({ gatewayUrl: devnet.url });
  const funds = await client.balance(wallet.address);

  return {
    parts: { pool, client, wallet, maxAgeMs: 1, maxWinston: 10n ** 12n, dailyBytes: 10 ** 9, ...settings },
    pool,
    databaseUrl: database.url,
    devnet,
    address: wallet.address,
    async accept(count, bytes = 100) {
      const connection = await pool.connect();
      try {
        await connection.query('BEGIN');
        const head = await lockHead(connection);
        const now = new Date().toISOString();
        const entries: ChainedEntry[] = [];
        for (let index = 0; index < count; index++) {
          const message = { text: randomBytes(bytes / 2).toString('hex') };
          const draft = { function: 'test', entity_id: randomUUID(), signer: null, signature: null, message };
          entries.push(chain(signer, entries.at(-1) ?? head, draft, now));
        }
        await runAll(connection, [insertEntries(entries), moveHead(headAfter(head, entries))]);
        await connection.query('COMMIT');
        return entries.map(({ id }) => id);
      } finally {
        connection.release();
      }
    },
    async bundles() {
      const { rows } = await pool.query('SELECT * FROM bundles ORDER BY first_seq');
      return rows;
    },
    async network() {
      // A node has no list.
      devnet.setKind('gateway');
      return readNetwork(client, wallet.address).finally(() => devnet.setKind(kind));
    },
    spent: async () => funds - (await client.balance(wallet.address)),
  };
}
