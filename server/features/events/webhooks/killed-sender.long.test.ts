import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { hookOf, testDelivery, withoutWebhookKey } from './test-delivery.ts';
import { TEST_AUTHORITY } from './test-receiver.ts';

const POLL = { timeout: 240_000, interval: 50 };
const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const program = pathOf(`../../../node_modules/.cache/perpetua/webhook-sender-${process.pid}.mjs`);

beforeAll(async () => {
  const bundle = await rolldown({ input: pathOf('./test-sender-process.ts'), platform: 'node', external: /^[^./#]/ });
  await bundle.write({ file: program, format: 'esm' });
  await bundle.close();
  return () => rm(program, { force: true });
});

test('a sender killed between sending and recording sends the event again, with the same id, and none is lost', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'perpetua-killed-sender-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, 'ca'), TEST_AUTHORITY);
  // The service itself has no key for webhooks, so that only the processes below send.
  const delivery = await testDelivery({ env: withoutWebhookKey() });
  const { service, receiver, nameServer } = delivery;
  const { ledgerId, pool } = service.service.context;
  const seed = randomBytes(32).toString('hex');

  /** `shiftMs` is its clock's lead: the lease of a killed sender must end. */
  function startProcess(shiftMs: number): ChildProcess {
    const options = {
      databaseUrl: service.databaseUrl,
      ledgerId,
      seed,
      port: receiver.port,
      nameServer: nameServer.address,
      caFile: join(directory, 'ca'),
      shiftMs,
    };
    const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: 'inherit' });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  }

  let sender = startProcess(0);
  const searches = () => pool.query('SELECT FROM webhook_search');
  await expect.poll(async () => (await searches()).rowCount, POLL).toBe(1);
  const institution = await delivery.newInstitution();
  const holder = await delivery.newHolder();
  await delivery.granted(holder, institution.id);
  await delivery.setWebhook(institution, hookOf(receiver));
  const rows = () => pool.query('SELECT FROM webhooks');
  await expect.poll(async () => (await rows()).rowCount, POLL).toBe(1);

  const killAt = [5, 12, 20];
  let kill: () => void = () => undefined;
  receiver.reply = (response) => {
    if (killAt.includes(receiver.received.length)) return kill();
    response.writeHead(204).end();
  };
  let dead = new Promise<void>((resolve) => {
    kill = () => {
      sender.kill('SIGKILL');
      resolve();
    };
  });
  await delivery.toggle(holder, 15);
  for (let round = 1; round <= killAt.length; round++) {
    await dead;
    if (sender.exitCode === null && sender.signalCode === null) await once(sender, 'exit');
    dead = new Promise<void>((resolve) => {
      kill = () => {
        sender.kill('SIGKILL');
        resolve();
      };
    });
    sender = startProcess(round * 31_000);
  }
  const expected = (await delivery.all(institution)).slice(1).map(({ id }) => id);
  const ids = () => receiver.received.map(({ headers }) => String(headers['webhook-id']));
  await expect.poll(() => ids().at(-1), POLL).toBe(expected.at(-1));
  expect(ids().length).toBeGreaterThanOrEqual(expected.length + killAt.length);
  // Each is sent for the first time in order, and the one that was not recorded is sent again first.
  expect([...new Set(ids())]).toEqual(expected);
  for (const count of killAt) expect(ids().slice(count)).toContain(ids()[count - 1]);
});
