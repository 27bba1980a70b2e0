import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { hookOf, testDelivery, withConsent } from './test-delivery.ts';
import type { Received } from './test-receiver.ts';

const POLL = { timeout: 240_000, interval: 50 };

test('a receiver that hangs, closes or sends a megabyte does not delay others', async () => {
  // Longer than the whole test: the hanging ones are never given up.
  const delivery = await testDelivery({ timeoutMs: 600_000 });
  const { receiver, other } = delivery;
  const held: Received[] = [];
  receiver.reply = (_, received) => void held.push(received);
  const hanging = await Promise.all(
    Array.from({ length: 40 }, () => delivery.institutionWithWebhook(hookOf(receiver))),
  );
  const holder = await delivery.newHolder();
  for (const { id } of hanging) await delivery.granted(holder, id);
  const [first] = hanging;
  if (!first) throw new Error('There are 40.');
  // With the state of one, so that a failure shows why nothing was sent.
  await expect
    .poll(async () => ({ held: held.length, first: await delivery.state(first) }), POLL)
    .toMatchObject({ held: 40 });
  const { institution } = await withConsent(delivery, other);
  await expect.poll(() => other.received.length, POLL).toBe(1);
  other.reply = (response) => response.writeHead(200).end('x'.repeat(1_000_000));
  await delivery.toggle(holder, 1);
  await delivery.granted(await delivery.newHolder(), institution.id);
  await expect.poll(() => other.received.length, POLL).toBe(2);
  await expect.poll(async () => (await delivery.state(institution)).responses.length, POLL).toBe(2);
  expect((await delivery.state(institution)).responses[0]).toMatchObject({ status: 200, body: 'x'.repeat(512) });
  other.reply = (response) => response.socket?.destroy();
  await delivery.granted(await delivery.newHolder(), institution.id);
  await expect.poll(async () => (await delivery.state(institution)).status, POLL).toBe('FAILING');
  expect((await delivery.state(institution)).responses[0]).toMatchObject({
    status: null,
    problem: 'CONNECTION_FAILED',
  });
});

test('an institution sends a test and an event again while the receivers of twenty other institutions hang', async () => {
  // Longer than the whole test: the hanging ones are never given up.
  const delivery = await testDelivery({ timeoutMs: 600_000 });
  const { receiver, other } = delivery;
  const held: ServerResponse[] = [];
  receiver.reply = (response) => void held.push(response);
  const hanging = await Promise.all(
    Array.from({ length: 20 }, () => delivery.institutionWithWebhook(hookOf(receiver))),
  );
  const waiting = hanging.map((each) => delivery.control(each, '/test', 'testWebhook'));
  await expect.poll(() => held.length, POLL).toBe(20);

  const { institution } = await withConsent(delivery, other);
  const [event] = await delivery.all(institution);
  const tested = await delivery.control(institution, '/test', 'testWebhook');
  expect(tested.body.response).toMatchObject({ sent: 'test', status: 204 });
  const fields = { eventId: event?.id ?? '', at: event?.at ?? '' };
  const resent = await delivery.control(institution, '/resend', 'resendEvent', fields);
  expect(resent.body.response).toMatchObject({ sent: 'resend', event_id: event?.id, status: 204 });

  for (const response of held) response.writeHead(204).end();
  for (const { body } of await Promise.all(waiting)) expect(body.response).toMatchObject({ status: 204 });
});
