import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createResolve } from '../../../network/checked-address.ts';
import { createPool } from '../../../platform/db/pool.ts';
import { createNotifier, type Notifier } from '../../../platform/process/notifier.ts';
import { hookOf, testDelivery, withoutWebhookKey } from './test-delivery.ts';
import { TEST_AUTHORITY } from './test-receiver.ts';
import { startWebhooks } from './webhooks.ts';

test('a change of the ledger wakes the search for events, which does not run in between', async () => {
  const delivery = await testDelivery({ env: withoutWebhookKey() });
  const { service, receiver, nameServer, clock } = delivery;
  const pool = createPool(service.databaseUrl, 2, () => undefined);
  const changes = createNotifier();
  let searches = 0;
  // For this search no time passes.
  const withoutTime: Notifier = {
    ...changes,
    pause(count, _least, _most, signal) {
      searches += 1;
      return changes.pause(count, 0, 2 ** 31 - 1, signal);
    },
  };
  const webhooks = await startWebhooks({
    pool,
    clock,
    ledgerId: service.service.context.ledgerId,
    vault: service.service.context.vault,
    log: pino({ level: 'silent' }),
    seeds: [randomBytes(32)],
    rules: {
      ports: [receiver.port],
      privateAddresses: true,
      resolve: createResolve([nameServer.address]),
      ca: TEST_AUTHORITY,
      timeoutMs: 15_000,
    },
    userAgent: 'Perpetua/test',
    onAnswered: () => undefined,
    changes: withoutTime,
  });
  onTestFinished(async () => {
    await webhooks.stop();
    await pool.end();
  });
  await expect.poll(() => searches).toBe(1);

  const [institution, holder] = [await delivery.newInstitution(), await delivery.newHolder()];
  await delivery.setWebhook(institution, hookOf(receiver));
  expect(searches).toBe(1);
  changes.notify();
  await expect.poll(() => searches).toBe(2);

  await delivery.granted(holder, institution.id);
  expect(searches).toBe(2);
  changes.notify();
  await expect.poll(() => receiver.received).toHaveLength(1);
  await expect.poll(() => searches).toBe(3);
});
