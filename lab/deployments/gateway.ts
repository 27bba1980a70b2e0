import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Devnet, startDevnet } from '../../server/network/devnet/devnet.ts';
import { testWallet } from '../../server/network/test-wallet.ts';
import { startTcpProxy } from '../../server/testing/tcp-proxy.ts';

const BLOCK_MS = 500;

export interface Gateway {
  readonly devnet: Devnet;
  /** As a machine or container of the deployment reaches it. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A devnet that other machines reach at an address of this one: it listens on the loopback address itself. */
export async function startGateway(address: string): Promise<Gateway> {
  const directory = mkdtempSync(join(tmpdir(), `perpetua-test-${process.pid}-gateway-`));
  const log = pino({ level: 'silent' });
  const devnet = await startDevnet({ directory, blockMs: BLOCK_MS, log, wallet: await testWallet() });
  const proxy = await startTcpProxy(Number(new URL(devnet.url).port), address);
  return {
    devnet,
    url: `http://${address}:${proxy.port}`,
    async stop() {
      await proxy.stop();
      await devnet.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
