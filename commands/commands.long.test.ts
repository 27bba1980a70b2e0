import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGuarded, recover } from '../auditor/audit/test-guardians.ts';
import { createConsents } from '../auditor/audit/test-institutions.ts';
import { createIdentities, query, settle } from '../auditor/audit/test-operator.ts';
import { builtCommands } from '../auditor/audit/test-worker.ts';
import { readConfig } from '../server/config.ts';
import { startDevnet } from '../server/network/devnet/devnet.ts';
import { testWallet } from '../server/network/test-wallet.ts';
import { loadWallet } from '../server/network/wallet.ts';
import { removeRunningFile, writeRunningFile } from '../server/platform/data-folder/running-file.ts';
import { startEmbeddedPostgres } from '../server/platform/db/postgres/embedded-postgres.ts';
import { startService } from '../server/processes/service.ts';
import { dataDirectory } from './test-data-directory.ts';

let commands: Awaited<ReturnType<typeof builtCommands>>;

beforeAll(async () => {
  commands = await builtCommands();
});

afterAll(() => commands.remove());

/** Runs a built command as `npm run` does. */
async function run(name: 'verify' | 'restore', dataDir: string, ...args: string[]) {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn(process.execPath, [commands.path(name), ...args], {
    env: { PATH, HOME, TMPDIR, NODE_ENV: 'production', DATA_DIR: dataDir, DEVNET_BLOCK_MS: '50' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  const [status] = await once(child, 'close');
  return { status: status as number, text };
}

/** Starts the same as main.ts without HTTP, with embedded database and network in one data directory. */
async function startOperator(dataDir: string) {
  const config = readConfig({ DATA_DIR: dataDir, RATE_LIMIT: 'off', BUNDLE_MAX_AGE_MS: '50' });
  const log = pino({ level: 'silent' });
  const embedded = await startEmbeddedPostgres({ dataDir, log: () => undefined });
  const directory = join(dataDir, 'devnet');
  const devnet = await startDevnet({ directory, blockMs: 50, log, wallet: await testWallet() });
  writeRunningFile(dataDir, { pid: process.pid, gateway_url: devnet.url, database_url: embedded.url });
  const gateway = { urls: [devnet.url], kind: 'devnet' as const, wallet: loadWallet(devnet.wallet) };
  const service = await startService({
    config,
    log,
    databaseUrl: embedded.url,
    gateway,
    publicUrl: () => 'http://localhost',
  });
  return {
    service,
    databaseUrl: embedded.url,
    async stop() {
      await service.stop();
      await devnet.stop();
      removeRunningFile(dataDir);
      await embedded.stop();
    },
  };
}

test('verify checks a running and a stopped service, and restore rebuilds it from the network', async () => {
  const dataDir = dataDirectory();
  const operator = await startOperator(dataDir);
  await Promise.all([createIdentities(operator.service, 20), createConsents(operator.service)]);
  await settle(operator.databaseUrl);
  const running = await run('verify', dataDir);
  expect(running.text).toContain('No breach was found.');
  expect(running.status).toBe(0);
  const recovered = await recover(operator.service, await newGuarded(operator.service, 0));
  await settle(operator.databaseUrl);
  const asserted = await run('verify', dataDir);
  expect(asserted.text).toContain(`${recovered.beoId} moved to the key ${recovered.person.publicKey}`);
  expect(asserted.text.trimEnd().split('\n').at(-1)).toBe(
    'No breach, but not clean: 1 recovery is asserted by the relayer alone.',
  );
  expect(asserted.status).toBe(3);
  expect((await run('restore', dataDir)).text).toContain('The service is running');
  await query(operator.databaseUrl, "UPDATE beos SET public_key = repeat('ab', 32) WHERE status = 'ACTIVE'");
  await operator.stop();

  const stopped = await run('verify', dataDir);
  expect(stopped.text).toContain('BREACHES were found');
  expect(stopped.status).toBe(1);
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);

  const newDataDir = dataDirectory();
  for (const name of ['relayer.key', 'devnet'])
    cpSync(join(dataDir, name), join(newDataDir, name), { recursive: true });
  const restored = await run('restore', newDataDir);
  expect(restored.text).toContain('Epoch 2 begins');
  expect(restored.status).toBe(0);
  const repeated = await run('restore', newDataDir);
  expect(repeated.text).toContain('The database is not empty');
  expect(repeated.status).toBe(2);
  const verified = await run('verify', newDataDir);
  expect(verified.text).toContain('No breach, but not clean: 1 recovery is asserted by the relayer alone.');
  expect(verified.text).toContain('Not on the network when it was read: 1 entry');
  expect(verified.status).toBe(3);
});

test('a command that reaches no gateway reports one sentence and exits with status 2', async () => {
  const gateway = ['--gateway', 'http://127.0.0.1:9', '--wallet', 'w'.repeat(43), '--relayer-key', 'ab'.repeat(32)];
  const unreachable = await run('verify', dataDirectory(), ...gateway);
  expect(unreachable.text).toMatch(/^It could not be done: http\S+ The gateway cannot be reached/);
  expect(unreachable.status).toBe(2);
});
