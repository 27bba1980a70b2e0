import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestService } from '../../testing/test-service.ts';
import { guardiansOf } from '../guardians/test-guardians.ts';
import { startMailServer } from '../mail/test-mail-server.ts';
import { confirmAddress } from './address-link.ts';
import { addressRow } from './alert-rows.ts';
import { setAlerts } from './set-alerts.ts';

const POLL = { timeout: 240_000, interval: 50 };
const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const program = pathOf(`../../../node_modules/.cache/perpetua/alert-process-${process.pid}.mjs`);

beforeAll(async () => {
  const bundle = await rolldown({ input: pathOf('./test-alert-process.ts'), platform: 'node', external: /^[^./#]/ });
  await bundle.write({ file: program, format: 'esm' });
  await bundle.close();
  return () => rm(program, { force: true });
});

const never = new Promise<null>(() => undefined);

test('killing a process between an entry and its mail loses no alert and sends none twice, and mails leave within 60 seconds', async () => {
  const vaultKey = randomBytes(32).toString('hex');
  // The service itself sends no mail, so that only the processes below search and send.
  const service = await startTestService({ VAULT_KEY: vaultKey });
  onTestFinished(() => service.stop());
  const { context } = service.service;
  const guardians = guardiansOf(service);
  const mailServer = await startMailServer();
  const holder = await guardians.newHolder();
  const address = 'holder@mail.example';
  const body = guardians.sign(holder.person, 'setAlerts', { beoId: holder.id, addresses: [address] });
  await setAlerts({ ...context, outbox: {} }, body, { address: '203.0.113.7' });
  const { rows } = await context.pool.query<{ id: string }>('SELECT id FROM alert_addresses');
  const stored = (await context.vault.read(context.pool, addressRow(rows[0]?.id ?? ''))) as { token: string };
  await confirmAddress(context, stored.token);
  await context.pool.query('DELETE FROM alert_mails');

  let process: ChildProcess | null = null;
  const start = () => {
    const options = { databaseUrl: service.databaseUrl, vaultKey, port: mailServer.port };
    const child = spawn(globalThis.process.execPath, [program, JSON.stringify(options)], { stdio: 'inherit' });
    onTestFinished(() => void child.kill('SIGKILL'));
    process = child;
  };
  const kill = async () => {
    const dying = process as ChildProcess;
    dying.kill('SIGKILL');
    if (dying.exitCode === null && dying.signalCode === null) await once(dying, 'exit');
  };
  const entries: { readonly at: number }[] = [];
  const act = async () => {
    const { body: locked } = await guardians.beo(holder, 'lock', 'lockBEO');
    expect((await guardians.beo(holder, 'unlock', 'unlockBEO')).status).toBe(200);
    entries.push({ at: Date.parse(locked.locked_at) });
  };
  // Killed before the entry, while it is searched, and when the mail server was reached, but has not accepted the mail.
  for (const round of [0, 1, 2, 3, 4]) {
    let reached: () => void = () => undefined;
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const step = round % 2 === 0 ? 'recipient' : 'message';
    mailServer.rule = (current) => {
      if (current !== step) return null;
      reached();
      return never;
    };
    start();
    await act();
    await act();
    await isReached;
    await kill();
    mailServer.cut();
  }
  mailServer.rule = () => null;
  await act();
  start();
  const messages = () => mailServer.received.map(({ email }) => email.messageId);
  await expect.poll(() => messages().length, POLL).toBe(entries.length);
  const left = async () => (await context.pool.query('SELECT FROM alert_mails')).rowCount;
  await expect.poll(left, POLL).toBe(0);
  expect(new Set(messages()).size).toBe(entries.length);
  expect(messages()).toHaveLength(entries.length);

  // Nothing is killed now: the time is that of the two programs, as they state it.
  await act();
  await expect.poll(() => messages().length, POLL).toBe(entries.length);
  const sentAt = Date.parse(mailServer.received.at(-1)?.email.date ?? '');
  expect(sentAt - (entries.at(-1)?.at ?? 0)).toBeLessThan(60_000);
});
