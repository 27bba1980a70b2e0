import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { TransactionId } from '../../protocol/ids.ts';
import { toBase64 } from '../../protocol/signing/encoding.ts';
import { leafHashOf } from '../../protocol/transparency/ledger-log.ts';
import { appendLeaves, EMPTY_FRONTIER, frontierRoot } from '../../protocol/transparency/merkle.ts';
import { loadWallet } from '../../server/network/wallet.ts';
import { guardedLedger } from './test-forged-guardians.ts';
import { type ForgedLedger, forgedLedger } from './test-forged-ledger.ts';
import type { ForgingRelayer, Written } from './test-relayer.ts';
import { builtWorker } from './test-worker.ts';
import { type VerifyOptions, verify } from './verify.ts';

const FINAL = 20;

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpetua-resume-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function scenario(given?: ForgedLedger) {
  const ledger = given ?? (await forgedLedger());
  const { relayer, devnet } = ledger;
  const { address } = loadWallet(devnet.wallet);
  const folder = folderOfTest();
  const state = join(folder, 'state');

  /** A run of the command with its own steps. */
  async function run(options: Pick<VerifyOptions, 'state' | 'ledgerId' | 'maxDelay'> = { state }) {
    const lines: string[] = [];
    const notes: string[] = [];
    const steps: (() => Promise<unknown>)[] = [];
    try {
      const facts = { gateway: [devnet.url], wallet: address, relayerKey: relayer.relayerKey };
      const verdict = await verify(
        { ...facts, ...options },
        {
          env: {},
          progress: { at: () => undefined, end: () => undefined },
          print: (line) => void lines.push(line),
          note: (line) => void notes.push(line),
          addStep: (_, step) => void steps.push(step),
          workerFile: await builtWorker('check.worker'),
        },
      );
      return { verdict, notes, report: lines.join('\n') };
    } finally {
      for (const step of steps.reverse()) await step();
    }
  }
  return { ...ledger, state, run };
}

const create = (relayer: ForgingRelayer, domain: string): Written => relayer.write(relayer.create(domain).draft);

/** The report without what differs between a resumed and a full run. */
const result = (report: string): string =>
  report
    .split('\n')
    .filter((line) => !/entries\/s over|verified by the run of|this run checked|root of their tree/.test(line))
    .join('\n');

const storedEnd = (state: string): number =>
  JSON.parse(readFileSync(join(state, 'point.json'), 'utf8').split('\n')[1] ?? '').point.end.seq;

test('a resumed run verifies only what is new, says so, and reports what a full run reports', async () => {
  const { relayer, publish, devnet, state, run } = await scenario();
  const holder = relayer.create('anna.bsp');
  const lab = relayer.admit('lab.bsp');
  const created = [relayer.write(holder.draft), relayer.write(lab.draft)];
  await publish(created);
  const consent = relayer.grant(holder, lab.ieoId);
  const granted = [relayer.write(consent.draft), create(relayer, 'bert.bsp')];
  await publish(granted);
  await devnet.mine(FINAL);
  expect((await run()).report).not.toContain('verified by the run of');
  expect(storedEnd(state)).toBe(4);

  const { tokenId } = consent;
  await publish([
    relayer.write(relayer.sign(holder.person, tokenId, 'revokeToken', { tokenId })),
    create(relayer, 'carl.bsp'),
    create(relayer, 'anna.bsp'),
  ]);
  const resumed = await run();
  expect(resumed.report).toContain('4 entries, up to entry 4');
  const tree = appendLeaves(
    EMPTY_FRONTIER,
    [...created, ...granted].map(({ id }) => leafHashOf(id as TransactionId)),
  );
  expect(resumed.report).toContain(toBase64(frontierRoot(tree)));
  const full = await run({});
  expect(result(resumed.report)).toBe(result(full.report));
  expect([resumed.verdict, full.verdict]).toEqual(['breach', 'breach']);
  expect(storedEnd(state)).toBe(4);

  await devnet.mine(FINAL);
  await run();
  expect(storedEnd(state)).toBe(7);
  const last = await run();
  expect(last.report).toContain('7 entries, up to entry 7');
  expect(result(last.report)).toBe(result((await run({})).report));
}, 120_000);

test('a bundle that claims entries that were verified before has everything verified again', async () => {
  const { relayer, publish, devnet, run } = await scenario();
  const first = [create(relayer, 'anna.bsp'), create(relayer, 'bert.bsp')];
  await publish(first);
  await devnet.mine(FINAL);
  expect((await run()).verdict).toBe('clean');
  relayer.head.seq = 1;
  relayer.head.id = first[0]?.id ?? null;
  await publish([create(relayer, 'other.bsp')]);
  const { notes, verdict, report } = await run();
  expect(notes).toEqual([expect.stringContaining('Everything is verified again.')]);
  expect(verdict).toBe('breach');
  expect(report).toContain('EQUIVOCATION');
}, 120_000);

test('an altered, incomplete or foreign state is refused with one sentence, a run that was killed changes nothing, and another version’s state is not used', async () => {
  const { relayer, publish, devnet, state, run } = await scenario();
  await publish([create(relayer, 'anna.bsp')]);
  await devnet.mine(FINAL);
  await run();
  const point = join(state, 'point.json');
  const text = readFileSync(point, 'utf8');
  const file = join(state, readdirSync(state).find((name) => name.endsWith('.sqlite')) ?? '');
  const bytes = readFileSync(file);

  // What a run leaves that is killed while it stores.
  writeFileSync(join(state, 'state-00000000-0000-4000-8000-000000000000.sqlite'), bytes.subarray(0, 1_000));
  writeFileSync(`${point}.next`, text.slice(0, 50));
  expect((await run()).report).toContain('1 entry, up to entry 1');
  expect(readdirSync(state).filter((name) => name.endsWith('.sqlite'))).toHaveLength(2);

  const damaged = /is altered or incomplete; delete the folder/;
  writeFileSync(point, text.replace('"seq":1', '"seq":2'));
  await expect(run()).rejects.toThrow(damaged);
  writeFileSync(point, text);
  appendFileSync(file, 'x');
  await expect(run()).rejects.toThrow(damaged);
  rmSync(file);
  await expect(run()).rejects.toThrow(damaged);
  writeFileSync(file, bytes);
  expect((await run()).verdict).toBe('clean');

  await expect(run({ state, ledgerId: 'ab'.repeat(32) })).rejects.toThrow(/is of another ledger/);
  await expect(run({ state, maxDelay: 1 })).rejects.toThrow(/made with other options/);
  expect(existsSync(file)).toBe(true);

  const earlier = (text.split('\n')[1] ?? '').replace('perpetua-verify-state-2', 'perpetua-verify-state-1');
  writeFileSync(point, `${createHash('sha256').update(earlier).digest('hex')}\n${earlier}\n`);
  expect((await run()).report).not.toContain('verified by the run of');
  expect(JSON.parse(readFileSync(point, 'utf8').split('\n')[1] ?? '').format).toBe('perpetua-verify-state-2');
}, 120_000);

test('every asserted recovery is in the report, also if there are many, and in that of a resumed run', async () => {
  const guarded = await guardedLedger();
  const { write, items, recover, request } = guarded;
  const { publish, devnet, state, run } = await scenario(guarded);
  const [primary, secondary] = guarded.withGuardians(0);
  const recoverTimes = (times: number) =>
    Array.from({ length: times }, () => {
      const opened = request();
      write(recover(primary, opened), recover(secondary, opened));
      return opened.newPublicKey;
    });
  const options = { state, maxDelay: 90 * 24 * 3_600 };
  const listed = ({ report }: { report: string }) =>
    report.split('\n').flatMap((line) => /moved to the key (\w+)/.exec(line)?.[1] ?? []);

  const keys = recoverTimes(101);
  await publish(items.splice(0));
  await devnet.mine(FINAL);
  const first = await run(options);
  expect(first.verdict, first.report).toBe('asserted');
  expect(listed(first)).toEqual(keys);

  keys.push(...recoverTimes(2));
  await publish(items.splice(0));
  const resumed = await run(options);
  expect(resumed.report).toContain('verified by the run of');
  expect(listed(resumed)).toEqual(keys);
  expect(resumed.report).toContain('103 recoveries are asserted by the relayer alone.');
}, 120_000);
