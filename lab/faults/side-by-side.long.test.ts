import { type ChildProcess, fork } from 'node:child_process';
import { hash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { query, testOperator } from '../../auditor/audit/test-operator.ts';
import { verify } from '../../auditor/audit/verify.ts';
import { type AnyOperation, OPERATIONS } from '../../protocol/operations.ts';
import { testWallet } from '../../server/network/test-wallet.ts';
import { MIGRATIONS } from '../../server/platform/db/migrate.ts';
import { freshDatabase } from '../../server/platform/db/test-database.ts';
import { prepareEveryOperation, sendSpread, writeUntil } from '../chaos/chaos-load.ts';
import { type Client, createClient, toProcesses } from '../chaos/operations.ts';
import { createRandom } from '../chaos/random.ts';
import { buildPreviousVersion, buildThisVersion } from './test-previous-version.ts';

let programs: { readonly previous: string; readonly current: string };
beforeAll(async () => {
  const [previous, current] = await Promise.all([buildPreviousVersion(), buildThisVersion()]);
  programs = { previous, current };
});
afterAll(() => {
  for (const program of Object.values(programs ?? {})) rmSync(dirname(program), { recursive: true, force: true });
});

const SPREAD_MS = 3_000;

test('during an update the previous version and this one serve one database, and no operation is lost or refused', async () => {
  const operator = await testOperator();
  const databaseUrl = await operator.database(freshDatabase);
  const instituteKeys = [1, 2, 3].map(() => randomBytes(24).toString('base64url'));
  const wallet = join(operator.dataDir, 'wallet.json');
  writeFileSync(wallet, JSON.stringify(await testWallet()), { mode: 0o600 });
  const { PATH = '' } = process.env;
  const env = {
    ...{ NODE_ENV: 'production' as const, PATH, DATA_DIR: operator.dataDir, DATABASE_URL: databaseUrl },
    ...{ ARWEAVE_GATEWAY_URL: operator.devnet.url, ARWEAVE_WALLET_FILE: wallet, BUNDLE_MAX_AGE_MS: '300' },
    ...{ RATE_LIMIT: 'off', LOG_LEVEL: 'warn', TRUST_PROXY: '1' },
    INSTITUTE_KEY_DIGESTS: instituteKeys.map((key) => hash('sha256', key)).join(','),
  };
  const log = { text: '' };
  const start = async (program: string): Promise<{ process: ChildProcess; url: string }> => {
    const child = fork(program, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (piece) => (log.text += piece));
    const ended = once(child, 'exit').then(() => ['an exit']);
    const [port] = await Promise.race([once(child, 'message'), ended]);
    if (typeof port !== 'number') throw new Error(`It did not start:\n${log.text}`);
    return { process: child, url: `http://127.0.0.1:${port}` };
  };

  const random = createRandom(1);
  const processes: { process: ChildProcess; url: string }[] = [];
  const client = createClient(instituteKeys, toProcesses({ processes }, 1, random));
  const writing = { on: true };
  processes.push(await start(programs.previous));
  // The migrations of this version run while the previous one serves.
  const writes = writeUntil(() => !writing.on, client, random);
  const [applied] = await query<{ count: number }>(databaseUrl, 'SELECT count(*)::int FROM migrations');
  expect(applied?.count).toBeLessThan(MIGRATIONS.length);
  const [previousVersion] = processes;
  processes.push(await start(programs.current));
  const known = await operationsOf(previousVersion?.url ?? '');
  expect(known.length).toBeGreaterThan(OPERATIONS.length / 2);
  await sendSpread(client, await prepareEveryOperation(client, known), SPREAD_MS, random);
  // It receives no more requests, finishes those in flight and ends; what it did not post, the other one does.
  const [previous] = processes.splice(0, 1);
  await sendSpread(client, await prepareEveryOperation(client), SPREAD_MS / 3, random);
  previous?.process.kill('SIGKILL');
  writing.on = false;
  await writes;

  await expectEachOnce(client, databaseUrl);
  expect(client.oddities).toEqual([]);
  await operator.settle(databaseUrl);
  const audit = await operator.run((parts) => verify({}, parts), databaseUrl);
  expect(audit.text).toContain('No breach');
  expect(log.text).not.toMatch(/"level":[56]0/);
});

/** The operations for which a process has a route: while two versions serve, a request may reach either. */
async function operationsOf(url: string): Promise<readonly AnyOperation[]> {
  const served = await Promise.all(
    OPERATIONS.map(async ({ routes: [route] }) => {
      if (!route) return false;
      const { method, path } = route;
      const init = { method, headers: { 'content-type': 'application/json' }, body: '{}' };
      const { code } = await (await fetch(`${url}${path.replace(/:\w+/g, 'none')}`, init)).json();
      return code !== 'NOT_FOUND' && code !== 'METHOD_NOT_ALLOWED';
    }),
  );
  return OPERATIONS.filter((_, index) => served[index]);
}

async function expectEachOnce({ sent }: Client, databaseUrl: string): Promise<void> {
  const entries = await query<{ id: string }>(databaseUrl, 'SELECT id FROM ledger_entries ORDER BY seq');
  const accepted = sent.flatMap(({ ids }) => [...ids]);
  expect(sent.filter(({ outcome }) => outcome !== 'accepted')).toEqual([]);
  expect(new Set(accepted).size).toBe(accepted.length);
  expect(entries.map(({ id }) => id).sort()).toEqual(accepted.sort());
}
