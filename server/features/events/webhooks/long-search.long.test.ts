import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createResolve } from '../../../network/checked-address.ts';
import { createPool } from '../../../platform/db/pool.ts';
import { hookOf, type TestDelivery, testDelivery, withoutWebhookKey } from './test-delivery.ts';
import { TEST_AUTHORITY } from './test-receiver.ts';
import { startWebhooks } from './webhooks.ts';

const ENTRIES = 25_000;

/** A sender whose turns end as soon as they may. */
async function startHastySender({ service, receiver, nameServer, clock }: TestDelivery): Promise<void> {
  const pool = createPool(service.databaseUrl, 2, () => undefined);
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
    turnMs: 1,
  });
  onTestFinished(async () => {
    await webhooks.stop();
    await pool.end();
  });
}

/** Adds entries about identities that no institution has a consent of. */
async function addEntriesOfOthers({ service }: TestDelivery): Promise<void> {
  await service.service.context.pool.query(
    `WITH head AS (SELECT seq, epoch, accepted_at AS at FROM ledger_head),
       entries AS (INSERT INTO ledger_entries
         SELECT seq + n, epoch, lpad(n || 'A', 43, 'x'), 'lockBEO', gen_random_uuid()::text, at, '' FROM head, generate_series(1, $1::int) n)
     UPDATE ledger_head SET seq = seq + $1, id = lpad($1::int || 'A', 43, 'x')`,
    [ENTRIES],
  );
}

test('an event after many entries of others is found, in turns that are shorter than the search', async () => {
  const delivery = await testDelivery({ env: { ...withoutWebhookKey(), BUNDLE_MAX_AGE_MS: '2000000000' } });
  const { receiver, service } = delivery;
  await startHastySender(delivery);
  const [institution, holder] = [await delivery.newInstitution(), await delivery.newHolder()];
  await delivery.setWebhook(institution, hookOf(receiver));
  const rows = () => service.service.context.pool.query('SELECT FROM webhooks');
  await expect.poll(async () => (await rows()).rowCount).toBe(1);
  await addEntriesOfOthers(delivery);
  await delivery.granted(holder, institution.id);
  await delivery.toggle(holder, 1);
  const ids = () => receiver.received.map(({ headers }) => headers['webhook-id']);
  await expect.poll(ids).toHaveLength(3);
  expect(ids()).toEqual((await delivery.all(institution)).map(({ id }) => id));
});
