import { expect, onTestFinished, test } from 'vitest';
import { createNotifier, type Notifier } from '../platform/process/notifier.ts';
import { startLoops } from './loops.ts';
import type { RelayParts } from './relay.ts';
import { testRelay } from './test-relay.ts';

const HOUR = 3_600_000;
const CONFIRM_PAUSE_MS = 777;
const IDLE_MS = 30_000;
const LEAD_MS = 1_000;

/** Loops for which no time passes: only a notification ends a pause. `pauses` has the longest time of each, in ms. */
async function withoutTime(settings: Partial<RelayParts> = {}, confirmPauseMs = CONFIRM_PAUSE_MS) {
  const relay = await testRelay(settings);
  const changes = createNotifier();
  const pauses: number[] = [];
  const parts = {
    ...relay.parts,
    fence: { check: async () => null },
    confirmPauseMs,
    changes: {
      ...changes,
      pause(count, _least, maxMs, signal) {
        pauses.push(maxMs);
        return changes.pause(count, 0, 2 ** 31 - 1, signal);
      },
    } satisfies Notifier,
  };
  const problems: unknown[] = [];
  const loops = startLoops(parts, (_, error) => problems.push(error));
  onTestFinished(() => loops.stop());
  await expect.poll(() => loops.state().leading).toBe(true);
  const statuses = async () => (await relay.bundles()).map(({ status }) => status);
  return { relay, changes, pauses, problems, statuses };
}

test('without work, relay and confirm wait for a change, which wakes them at once', async () => {
  const { relay, changes, pauses, problems, statuses } = await withoutTime();
  // The first pauses may be those before this process led.
  await expect.poll(() => pauses.filter((ms) => ms === IDLE_MS).length).toBeGreaterThanOrEqual(2);
  expect(new Set(pauses)).toEqual(new Set([LEAD_MS, IDLE_MS]));

  await relay.accept(2);
  changes.notify();
  await expect.poll(statuses).toEqual(['POSTED']);
  // While a bundle is unfinished, its confirmations are polled.
  await expect.poll(() => pauses).toContain(CONFIRM_PAUSE_MS);

  await relay.devnet.mine(20);
  changes.notify();
  await expect.poll(statuses).toEqual(['FINAL']);
  changes.notify();
  await expect.poll(() => pauses.filter((ms) => ms !== LEAD_MS).slice(-2)).toEqual([IDLE_MS, IDLE_MS]);
  expect(problems).toEqual([]);
});

test('an entry that waits for others wakes the relay when its bundle is due', async () => {
  const { relay, changes, pauses, statuses } = await withoutTime({ maxAgeMs: HOUR });
  await relay.accept(1);
  changes.notify();
  await expect.poll(() => pauses.find((ms) => ms > IDLE_MS && ms <= HOUR)).toBeDefined();
  expect(await statuses()).toEqual([]);
});

test('after an error a loop does not run more often than without', async () => {
  const { relay, changes, pauses, problems } = await withoutTime({}, 15_000);
  await relay.accept(1);
  changes.notify();
  await expect.poll(() => pauses).toContain(15_000);
  relay.devnet.setFault({ mode: 'refuse' });
  pauses.length = 0;
  changes.notify();
  await expect.poll(() => problems).toHaveLength(1);
  await expect.poll(() => pauses).toContain(15_000);
  expect(pauses.filter((ms) => ms !== IDLE_MS && ms !== LEAD_MS && ms !== 15_000)).toEqual([]);
  relay.devnet.setFault({ mode: 'none' });
});
