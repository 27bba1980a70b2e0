import { randomBytes } from 'node:crypto';
import type { ArweaveClient } from '../../server/network/arweave-client.ts';
import type { Devnet } from '../../server/network/devnet/devnet.ts';
import { clientOf, testDevnet } from '../../server/network/devnet/test-devnet.ts';
import { createGateways } from '../../server/network/gateways.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { type Audit, auditLedger } from './audit.ts';
import { type Checkers, startCheckers } from './checkers.ts';
import { createForgingRelayer, type ForgingRelayer, type Written } from './test-relayer.ts';
import { testState } from './test-state.ts';
import { builtWorker } from './test-worker.ts';

export interface ForgedLedger {
  readonly devnet: Devnet;
  readonly client: ArweaveClient;
  readonly relayer: ForgingRelayer;
  /** Posts items as one bundle and mines it. Returns the id of the transaction. */
  publish(items: readonly Written[], options?: Parameters<ForgingRelayer['post']>[1]): Promise<string>;
  audit(maxDelayMs?: number): Promise<Audit>;
}

const DAY_MS = 24 * 3_600_000;
const relayerSeed = randomBytes(32);
let checkers: Promise<Checkers> | undefined;

/** A devnet and a compromised relayer. All tests of a process share two checker threads, which end with it. */
export async function forgedLedger(): Promise<ForgedLedger> {
  const devnet = await testDevnet();
  const client = clientOf(devnet, 15_000);
  const wallet = loadWallet(devnet.wallet);
  const relayer = createForgingRelayer({ client, wallet }, relayerSeed);
  const { relayerKey, ledgerId } = relayer;
  checkers ??= builtWorker('check.worker').then((file) =>
    startCheckers({ relayerKey, ledgerId, suffix: null }, { file, threads: 2 }),
  );
  const ready = await checkers;
  return {
    devnet,
    client,
    relayer,
    async publish(items, options) {
      const id = await relayer.post(items, options);
      await devnet.mine();
      return id;
    },
    audit: (maxDelayMs = DAY_MS) =>
      auditLedger({
        client: createGateways([devnet.url]),
        wallet: wallet.address,
        checkers: ready,
        state: testState(),
        maxDelayMs,
      }),
  };
}

/** The findings without their sentences. */
export const found = ({ findings }: Audit): { kind: string; seq: number | null; id: string | null }[] =>
  findings.examples(Number.POSITIVE_INFINITY).map(({ kind, seq, id }) => ({ kind, seq, id }));

export const kinds = (audit: Audit): string[] => found(audit).map(({ kind }) => kind);
