import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { badGateway, changingList, edge, page } from '../../auditor/audit/test-bad-gateway.ts';
import { newHolder, query, type TestOperator, testOperator } from '../../auditor/audit/test-operator.ts';
import { createForgingRelayer } from '../../auditor/audit/test-relayer.ts';
import { restore } from '../../commands/restore/rebuild-database.ts';
import { formatVerifierKey } from '../../protocol/transparency/verifier-key.ts';
import { readiness } from '../http/rest/readiness.ts';
import { clientOf } from '../network/devnet/test-devnet.ts';
import { loadWallet } from '../network/wallet.ts';
import { copyOfDatabase } from '../platform/db/test-database.ts';
import type { Service } from '../processes/service.ts';
import { ledgerState } from './read.ts';
import { startTestWitness } from './transparency/test-witness.ts';

type ServeOptions = NonNullable<Parameters<TestOperator['serve']>[1]>;

/** Starts a service that never posts on a copy of a database, without a record of its head. */
async function startOnCopy(operator: TestOperator, databaseUrl: string, options: ServeOptions = {}) {
  const { url, drop } = await copyOfDatabase(databaseUrl);
  onTestFinished(drop);
  rmSync(join(operator.dataDir, 'ledger-head'), { recursive: true, force: true });
  return { databaseUrl: url, service: await operator.serve(url, { hold: true, ...options }) };
}

async function copied(databaseUrl: string): Promise<string> {
  const { url, drop } = await copyOfDatabase(databaseUrl);
  onTestFinished(drop);
  return url;
}

/** A database with two entries, and the signed heads then and when it had four. All entries are on the network. */
async function rolledBack(operator: TestOperator) {
  const database = await operator.database();
  const write = async () => {
    const service = await operator.serve(database);
    await newHolder(service);
    await newHolder(service);
    await operator.settle(database);
    const state = await ledgerState(service.context);
    await service.stop();
    return { state, log: service.context.transparencyLog };
  };
  const { state: earlier, log } = await write();
  const older = await copied(database);
  const { state: later } = await write();
  if (!log) throw new Error('The service has a log.');
  return { older, earlier, later, log };
}

const servingLedger = (body: object) => badGateway((_, response) => Boolean(response.end(JSON.stringify(body))));

/** A gateway that lists nothing. */
const emptyNetwork = ({ devnet }: TestOperator) =>
  badGateway(
    changingList(devnet.url, () => page([])),
    devnet.url,
  );

async function expectFenced(service: Service, problem: RegExp): Promise<void> {
  await expect(newHolder(service)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  // A signed head would be evidence of a rollback.
  await expect(ledgerState(service.context)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(service.context.streams.open(0)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const ready = await readiness(service.context);
  expect(ready.status).toBe('unavailable');
  expect(ready.ledger.problem).toMatch(problem);
  expect(ready.ledger.problem).toMatch(
    /acknowledged operations are lost\. .* run npm run restore -- --keep-private on this database/,
  );
}

test('a database that went back in time is fenced by each source alone, until it is restored', async () => {
  const operator = await testOperator();
  const { older, later, log } = await rolledBack(operator);
  const nothing = await emptyNetwork(operator);
  // As large as after 500 rotations of the relayer's key.
  const mirror = await servingLedger({ ...later, relayer_keys: Array(1_000).fill('A'.repeat(2_000)) });
  const witness = await startTestWitness('witness.example', [formatVerifierKey(log.key)]);
  onTestFinished(witness.stop);
  witness.witness.last.set(log.key.name, { size: 4, root: createHash('sha256').digest() });
  const lost = `entry 4 of epoch 1 \\(${later.head.id}\\)`;
  const alone: [ServeOptions, RegExp][] = [
    [{}, new RegExp(`^The storage network shows ${lost} in transaction [\\w-]{43}, but`)],
    [
      { gatewayUrl: nothing.url, settings: { MIRRORS: mirror.url } },
      new RegExp(`^The mirror ${mirror.url} shows ${lost} in a signed head, but`),
    ],
    [
      { gatewayUrl: nothing.url, settings: { WITNESSES: witness.setting } },
      /^The majority of the witnesses shows a tree of 4 entries that witness\.example cosigned, but/,
    ],
  ];
  for (const [options, problem] of alone) {
    const { service } = await startOnCopy(operator, older, options);
    await expectFenced(service, problem);
    await service.stop();
  }
  const unasked = await startOnCopy(operator, older, { gatewayUrl: nothing.url });
  await newHolder(unasked.service);
  await unasked.service.stop();

  const restored = await operator.database();
  expect((await operator.run((parts) => restore({}, parts), restored)).verdict).toBe('clean');
  const after = await operator.serve(restored, { settings: { MIRRORS: mirror.url, WITNESSES: witness.setting } });
  await newHolder(after);
  expect((await readiness(after.context)).ledger).toEqual({ ok: true, unanswered: [] });
});

test('a checkpoint that this service signed fences a database that has fewer entries', async () => {
  const operator = await testOperator();
  const { older } = await rolledBack(operator);
  const nothing = await emptyNetwork(operator);
  await query(older, "INSERT INTO checkpoints (size, root, created_at) VALUES (4, '', now())");
  const { service } = await startOnCopy(operator, older, { gatewayUrl: nothing.url });
  await expectFenced(service, /^The table of checkpoints shows a tree of 4 entries, but/);
});

test('a mirror or a gateway that lies does not fence, nor does one of two witnesses', async () => {
  const operator = await testOperator();
  const { older, later, log } = await rolledBack(operator);
  const client = clientOf(operator.devnet);
  const foreign = createForgingRelayer({ client, wallet: loadWallet(operator.devnet.wallet) });
  Object.assign(foreign.head, { seq: 98 });
  const transaction = await foreign.post([foreign.write(foreign.create('zoe.bsp').draft)]);
  await vi.waitFor(async () => expect((await client.status(transaction)).state).toBe('mined'), 30_000);
  const lying = await badGateway(
    changingList(operator.devnet.url, (list) => {
      const answer = JSON.parse(list);
      const { transactions } = answer.data;
      const only = transactions.edges.filter(({ node }: { node: { id: string } }) => node.id === transaction);
      transactions.edges = only.length > 0 ? [edge(500), ...only] : [];
      return JSON.stringify(answer);
    }),
    operator.devnet.url,
  );
  const forged = { ...later, head: { ...later.head, seq: 99 } };
  const mirrors = await Promise.all([servingLedger(forged), servingLedger({ ...later, ledger_id: 'ab'.repeat(32) })]);
  const witnesses = await Promise.all(
    ['one', 'two'].map((name) => startTestWitness(name, [formatVerifierKey(log.key)])),
  );
  onTestFinished(async () => void (await Promise.all(witnesses.map(({ stop }) => stop()))));
  witnesses[0]?.witness.last.set(log.key.name, { size: 1_000, root: createHash('sha256').digest() });
  const { service } = await startOnCopy(operator, older, {
    gatewayUrl: lying.url,
    settings: {
      MIRRORS: mirrors.map(({ url }) => url).join(', '),
      WITNESSES: witnesses.map(({ setting }) => setting).join(','),
    },
  });
  await newHolder(service);
  expect(lying.asked).toContain(`/raw/${transaction}`);
  expect((await readiness(service.context)).ledger).toEqual({
    ok: true,
    unanswered: [
      { source: `mirror ${mirrors[0]?.url}`, reason: 'It shows a head that the relayer did not sign.' },
      { source: `mirror ${mirrors[1]?.url}`, reason: 'It has another ledger.' },
    ],
  });
});

test('after a lost connection the sources are asked again before the next entry is signed', async () => {
  const operator = await testOperator();
  const { older, earlier, later } = await rolledBack(operator);
  const nothing = await emptyNetwork(operator);
  let shown = earlier;
  const mirror = await badGateway((_, response) => Boolean(response.end(JSON.stringify(shown))));
  const { service, databaseUrl } = await startOnCopy(operator, older, {
    gatewayUrl: nothing.url,
    settings: { MIRRORS: mirror.url },
  });
  await newHolder(service);
  shown = later;
  await newHolder(service);
  await query(
    databaseUrl,
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await expect
    .poll(() => service.context.fence.problem(), { timeout: 240_000 })
    .toMatch(/^The mirror .* has another entry/);
  await expectFenced(service, /^The mirror /);
  expect(await query(databaseUrl, 'SELECT seq::int FROM ledger_head')).toEqual([{ seq: 4 }]);
});

test('a posted bundle that is not mined yet fences, and one that a restore abandoned does not', async () => {
  const operator = await testOperator({ blockMs: 2 ** 30 });
  const { devnet } = operator;
  const database = await operator.database();
  const write = async (seq: number) => {
    const service = await operator.serve(database);
    await newHolder(service);
    const posted = "SELECT FROM bundles WHERE status = 'POSTED' AND last_seq = $1";
    await vi.waitFor(async () => expect(await query(database, posted, [seq])).toHaveLength(1), 60_000);
    if (seq === 1) {
      await devnet.mine();
      await operator.settle(database);
    }
    await service.stop();
  };
  await write(1);
  const older = await copied(database);
  await write(2);

  const pending = /^The storage network shows a bundle up to entry 2 that is not mined yet \(transaction/;
  const first = await startOnCopy(operator, older);
  await expectFenced(first.service, pending);
  await first.service.stop();
  const restored = await operator.database();
  const abandoning = operator.run((parts) => restore({ abandonPending: true, wait: 0 }, parts), restored);
  expect((await abandoning).verdict).toBe('clean');
  const resumed = await operator.serve(restored, { hold: true });
  await newHolder(resumed);
  await resumed.stop();

  const { service } = await startOnCopy(operator, older);
  await expectFenced(service, pending);
  await devnet.mine();
  await expect
    .poll(() => service.context.fence.problem(), { timeout: 240_000 })
    .toMatch(/^The storage network shows entry 2 of epoch 1 \([\w-]{43}\) in transaction/);
});
