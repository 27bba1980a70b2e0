import { sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hookOf, testDelivery } from '../server/features/events/webhooks/test-delivery.ts';
import { newSigningKey } from '../server/platform/crypto/signed-request.ts';
import { createClient } from './client.ts';
import { generateKey } from './keys.ts';
import { verifyWebhook } from './webhooks.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const BODY = '{"id":"evt_1","type":"consent.granted"}';

/** A sender written from the text of Standard Webhooks, with Node's own Ed25519. */
function newSender() {
  const { privateKey, publicKey } = newSigningKey();
  const raw = Buffer.from(publicKey, 'hex');
  return {
    key: `whpk_${raw.toString('base64')}`,
    signed: (id: string, timestamp: number, body: string) =>
      `v1a,${sign(null, Buffer.from(`${id}.${timestamp}.${body}`), privateKey).toString('base64')}`,
  };
}

const [sender, next] = [newSender(), newSender()];
const seconds = NOW / 1_000;

function webhook({
  id = 'evt_1',
  timestamp = seconds,
  body = BODY,
  signature = sender.signed(id, timestamp, BODY),
} = {}) {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signature };
  return { body, headers };
}

const keys = [sender.key];

describe('a webhook', () => {
  test('is accepted with its signature, however the headers and the body are given', () => {
    const event = { id: 'evt_1', type: 'consent.granted' };
    const { headers, body } = webhook();
    expect(verifyWebhook({ headers, body }, { keys, now: NOW })).toEqual(event);
    expect(verifyWebhook({ headers: new Headers(headers), body: Buffer.from(body) }, { keys, now: NOW })).toEqual(
      event,
    );
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    expect(verifyWebhook({ headers: upper, body }, { keys, now: NOW })).toEqual(event);
  });

  test('is accepted during a rotation, with either key and beside unknown signatures', () => {
    const both = `v1,AAAA ${next.signed('evt_1', seconds, BODY)} ${sender.signed('evt_1', seconds, BODY)}`;
    for (const known of [[sender.key], [next.key], [sender.key, next.key]]) {
      expect(verifyWebhook(webhook({ signature: both }), { keys: known, now: NOW })).toMatchObject({ id: 'evt_1' });
    }
  });

  test.each([
    ['with another body', webhook({ body: BODY.replace('granted', 'revoked') }), NOW],
    ['with another id', { ...webhook(), headers: { ...webhook().headers, 'webhook-id': 'evt_2' } }, NOW],
    ['by another key', webhook({ signature: next.signed('evt_1', seconds, BODY) }), NOW],
    ['with a symmetric signature', webhook({ signature: 'v1,AAAA' }), NOW],
    ['without a signature', webhook({ signature: '' }), NOW],
    ['of more than five minutes ago', webhook(), NOW + 301_000],
    ['from the future', webhook(), NOW - 301_000],
    [
      'with a timestamp that is not a number',
      { ...webhook(), headers: { ...webhook().headers, 'webhook-timestamp': '1e9' } },
      NOW,
    ],
    ['without headers', { body: BODY, headers: {} }, NOW],
    ['that is not JSON', webhook({ body: 'text', signature: sender.signed('evt_1', seconds, 'text') }), NOW],
  ])('%s is refused', (_, request, now) => {
    expect(() => verifyWebhook(request, { keys, now })).toThrow(expect.objectContaining({ code: 'WEBHOOK_INVALID' }));
  });

  test('is refused without keys, and with a key of another form', () => {
    expect(() => verifyWebhook(webhook(), { keys: [], now: NOW })).toThrow(/by one of these keys/);
    expect(() => verifyWebhook(webhook(), { keys: [generateKey().publicKey], now: NOW })).toThrow(/whpk_/);
  });
});

test("the service's own webhook is verified with the keys that it publishes", async () => {
  const delivery = await testDelivery();
  const { receiver, service } = delivery;
  const client = createClient({ url: service.url });
  const institution = await delivery.institutionWithWebhook(hookOf(receiver));
  await delivery.granted(await delivery.newHolder(), institution.id);
  await expect.poll(() => receiver.received.length).toBe(1);
  const [received] = receiver.received;
  const keys = await client.getWebhookKeys();
  const event = verifyWebhook<{ type: string }>(
    { body: received?.body ?? '', headers: received?.headers ?? {} },
    { keys },
  );
  expect(event.type).toBe('consent.granted');
});
