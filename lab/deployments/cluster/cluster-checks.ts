import { startCheckers } from '../../../auditor/audit/checkers.ts';
import { builtWorker } from '../../../auditor/audit/test-worker.ts';
import { ledgerIdOf, type TransactionId } from '../../../protocol/ids.ts';
import { parseSignedCheckpoint } from '../../../protocol/transparency/checkpoint.ts';
import { leafHashOf } from '../../../protocol/transparency/ledger-log.ts';
import { isSameHash, rootOf } from '../../../protocol/transparency/merkle.ts';
import { createGateways } from '../../../server/network/gateways.ts';
import { signingKeyOf } from '../../../server/platform/crypto/signed-request.ts';
import { createPool, LONG_RUNNING } from '../../../server/platform/db/pool.ts';
import { LEDGER_INVARIANTS, ledgerIds } from '../../chaos/invariants.ts';
import type { Client, SentOperation } from '../../chaos/operations.ts';
import { resendOpen } from '../../chaos/run-rounds.ts';

interface LedgerParts {
  readonly databaseUrl: string;
  readonly gatewayUrl: string;
  readonly walletAddress: string;
  /** In hex. */
  readonly relayerKey: string;
}

export interface LedgerChecks {
  /** Reads the checkpoint, and keeps it to be compared later. */
  keepCheckpoint(client: Client): Promise<void>;
  /**
   * Sends again what has no response, then checks what the client sent since the last call, the whole ledger on the
   * network, and every kept checkpoint. Returns sentences about what is wrong.
   */
  problems(client: Client): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openLedgerChecks(parts: LedgerParts): Promise<LedgerChecks> {
  const pool = createPool(parts.databaseUrl, 2, () => undefined, LONG_RUNNING);
  const publicKey = signingKeyOf(parts.relayerKey).publicKey;
  const checkers = startCheckers(
    { relayerKey: publicKey, ledgerId: ledgerIdOf(publicKey), suffix: 'bsp' },
    { file: await builtWorker('check.worker') },
  );
  const state = {
    ...{ pool, checkers, deployment: { walletAddress: parts.walletAddress } },
    ...{ arweave: createGateways([parts.gatewayUrl]), bundles: new Map<string, readonly string[]>() },
    ...{ earlier: new Set<string>(), timeAffected: false },
  };
  const checkpoints: Uint8Array[] = [];

  /** A checkpoint whose tree the ledger does not have would show a second history. */
  async function contradicted(): Promise<readonly string[]> {
    const ids = (await ledgerIds(pool)) as readonly TransactionId[];
    return checkpoints.flatMap((bytes) => {
      const { size, root } = parseSignedCheckpoint(bytes).checkpoint;
      const isSame = size <= ids.length && isSameHash(root, rootOf(ids.slice(0, size).map(leafHashOf)));
      return isSame ? [] : [`the ledger does not have the tree of ${size} entries of a checkpoint`];
    });
  }

  return {
    async keepCheckpoint({ api }) {
      const { status, body } = await api.get('/tlog/checkpoint');
      if (status === 200) checkpoints.push(new TextEncoder().encode(String(body)));
    },
    async problems(client) {
      const operations: readonly SentOperation[] = client.sent.splice(0);
      await resendOpen(pool, client, operations);
      const found: string[] = [];
      for (const { name, check } of LEDGER_INVARIANTS) {
        for (const sentence of await check({ ...state, operations })) found.push(`${name}: ${sentence}`);
      }
      for (const { transactionId } of operations) if (transactionId !== null) state.earlier.add(transactionId);
      for (const { kind, text } of client.oddities.splice(0)) found.push(`${kind}: ${text}`);
      return [...found, ...(await contradicted())];
    },
    async close() {
      await Promise.all([pool.end(), checkers.close()]);
    },
  };
}
