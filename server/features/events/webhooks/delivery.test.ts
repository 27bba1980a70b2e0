import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amount, inFull } from '../../../../protocol/test-amount.ts';
import { newPerson } from '../../../testing/test-service.ts';
import {
  deliveriesOf,
  HOUR,
  hookOf,
  keyFiles,
  secondService,
  startDelivery,
  type TestDelivery,
  testDelivery,
  verifyWebhook,
  withConsent,
  withoutWebhookKey,
} from './test-delivery.ts';
import type { Reply, TestReceiver } from './test-receiver.ts';

const longTest = inFull(test);

let shared: TestDelivery;
let newDelivery: () => TestDelivery;
beforeAll(async () => {
  shared = await startDelivery();
  newDelivery = deliveriesOf(shared);
});
afterAll(() => shared.stop());

const POLL = { timeout: 240_000, interval: 50 };

const idsOf = ({ received }: TestReceiver): unknown[] => received.map(({ headers }) => headers['webhook-id']);
const answering =
  (status: number, headers = {}): Reply =>
  (response) =>
    response.writeHead(status, headers).end();

const rowsOf = async ({ service }: TestDelivery, condition: string) =>
  (await service.service.context.pool.query(`SELECT ieo_id, lease FROM webhooks ${condition} ORDER BY ieo_id`)).rows;
const hasRow = async (delivery: TestDelivery, { id }: { id: string }) =>
  (await rowsOf(delivery, '')).some(({ ieo_id }) => ieo_id === id);

/** Waits until everything that happened was searched and sent, and no webhook is due: nothing more can be sent. */
async function allSent(delivery: TestDelivery): Promise<void> {
  await expect.poll(() => isSearched(delivery), POLL).toBe(true);
  const waiting = 'WHERE paused_at IS NULL AND (due_at IS NOT NULL OR lease IS NOT NULL)';
  await expect.poll(() => rowsOf(delivery, waiting), POLL).toEqual([]);
}

async function isSearched({ service }: TestDelivery): Promise<boolean> {
  const searched = 'SELECT FROM webhook_search s, ledger_head h WHERE s.seq = h.seq';
  return (await service.service.context.pool.query(searched)).rowCount === 1;
}

/** Waits until the sender has claimed every webhook that is due, and expects that it claims none of those there are. */
async function expectNoneClaimed(delivery: TestDelivery): Promise<void> {
  const { other } = delivery;
  const before = await rowsOf(delivery, '');
  for (const _ of ['the claim that is under way', 'the next one']) {
    const sent = other.received.length;
    await withConsent(delivery, other);
    await expect.poll(() => other.received.length, POLL).toBe(sent + 1);
  }
  expect(await rowsOf(delivery, '')).toEqual(expect.arrayContaining(before));
}

test('a new webhook is sent what happens from then on: the events of the API, signed, in order, each once', async () => {
  const delivery = newDelivery();
  const { service, receiver, clock } = delivery;
  const institution = await delivery.newInstitution();
  const holder = await delivery.newHolder();
  await delivery.granted(holder, institution.id);
  await delivery.setWebhook(institution, hookOf(receiver));
  await delivery.toggle(holder, 3);
  const events = await delivery.all(institution);
  expect(events).toHaveLength(7);
  await expect.poll(() => receiver.received.length, POLL).toBe(6);
  const { keys } = (await service.get('/.well-known/webhook-key')).body;
  const jwks = (await service.get('/.well-known/jwks.json')).body;
  expect(jwks.keys).toEqual([
    expect.objectContaining({ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid: expect.any(String) }),
  ]);
  expect([Buffer.from(jwks.keys[0].x, 'base64url')]).toEqual(
    keys.map((key: string) => Buffer.from(key.slice('whpk_'.length), 'base64')),
  );
  for (const [index, received] of receiver.received.entries()) {
    const { valid, id, payload, timestamp } = verifyWebhook(received, keys);
    const event = events[index + 1];
    expect([valid, id, payload]).toEqual([[true], event?.id, { ...event, timestamp: event?.at }]);
    expect(Math.abs(timestamp * 1000 - clock.now())).toBeLessThan(60_000);
  }
  await allSent(delivery);
  expect(receiver.received).toHaveLength(6);
  const { body: metrics } = await service.get('/metrics');
  expect(metrics).toContain('perpetua_webhook_requests_total{outcome="delivered"} 6');
  expect(metrics).toContain('perpetua_webhooks{state="paused"} 0');
  expect(metrics).toContain('perpetua_webhook_lag_seconds 0');
  expect(await delivery.state(institution)).toMatchObject({
    status: 'ACTIVE',
    webhook_url: hookOf(receiver),
    waiting: { events: 0, more: false },
    next_attempt_at: null,
    responses: expect.arrayContaining([
      expect.objectContaining({ status: 204, sent: 'event', event_id: events[6]?.id }),
    ]),
  });
});

describe('a receiver that fails', () => {
  test('is retried later, and then gets every event in order', async () => {
    const delivery = newDelivery();
    const { receiver } = delivery;
    const replies: Reply[] = [
      answering(500, { 'retry-after': '60' }),
      answering(301, { location: 'https://receiver.test/' }),
      answering(404),
    ];
    receiver.reply = (response, one) => (replies.shift() ?? answering(200))(response, one);
    const { institution, holder } = await withConsent(delivery);
    await delivery.toggle(holder, 2);
    await expect.poll(() => receiver.received.length, POLL).toBe(1);
    await expect.poll(async () => (await delivery.state(institution)).status, POLL).toBe('FAILING');
    const { failures, waiting, next_attempt_at: next, responses } = await delivery.state(institution);
    expect([failures, waiting.events, responses[0].status]).toEqual([1, 5, 500]);
    expect(Date.parse(next) - Date.parse(responses[0].at)).toBeGreaterThanOrEqual(59_900);
    for (const [attempt, hours] of [
      [2, 0.1],
      [3, 0.6],
    ] as const) {
      delivery.advance(hours * HOUR);
      // The next attempt is due from the time at which this one was recorded.
      await expect.poll(async () => (await delivery.state(institution)).failures, POLL).toBe(attempt);
    }
    delivery.advance(2.3 * HOUR);
    await expect.poll(() => receiver.received.length, POLL).toBe(8);
    const events = (await delivery.all(institution)).map(({ id }) => id);
    expect(idsOf(receiver)).toEqual([events[0], events[0], events[0], ...events]);
    await expect.poll(async () => (await delivery.state(institution)).status, POLL).toBe('ACTIVE');
  });

  longTest('for three days is paused, and gets everything once the institution resumes', async () => {
    const delivery = newDelivery();
    const { receiver } = delivery;
    receiver.reply = answering(503);
    const { institution, holder } = await withConsent(delivery);
    for (let attempt = 1; attempt <= 13; attempt++) {
      await expect.poll(() => receiver.received.length, POLL).toBe(attempt);
      await expect.poll(async () => (await delivery.state(institution)).failures, POLL).toBe(attempt);
      delivery.advance(11.1 * HOUR);
      if ((await delivery.state(institution)).status === 'PAUSED') break;
    }
    expect(await delivery.state(institution)).toMatchObject({
      status: 'PAUSED',
      pause_reason: 'FAILING',
      next_attempt_at: null,
      waiting: { events: 1 },
    });
    const attempts = receiver.received.length;
    expect(attempts).toBeLessThanOrEqual(12);
    receiver.reply = answering(200);
    await delivery.toggle(holder, 1);
    delivery.advance(24 * HOUR);
    await expectNoneClaimed(delivery);
    expect(receiver.received).toHaveLength(attempts);
    expect(await delivery.control(institution, '/resume', 'resumeWebhook')).toMatchObject({ status: 200 });
    await expect.poll(() => receiver.received.length, POLL).toBe(attempts + 3);
    expect(idsOf(receiver).slice(attempts)).toEqual((await delivery.all(institution)).map(({ id }) => id));
  });

  test('with 410 is paused at once', async () => {
    const delivery = newDelivery();
    delivery.receiver.reply = answering(410);
    const { institution } = await withConsent(delivery);
    await expect.poll(async () => (await delivery.state(institution)).status, POLL).toBe('PAUSED');
    expect(await delivery.state(institution)).toMatchObject({ pause_reason: 'GONE', failures: 1 });
    delivery.advance(100 * HOUR);
    await expectNoneClaimed(delivery);
    expect(delivery.receiver.received).toHaveLength(1);
  });
});

longTest('a step of the clock starts no second sender beside one that waits for a response', async () => {
  const delivery = newDelivery();
  const { receiver } = delivery;
  const held: (() => void)[] = [];
  receiver.reply = (response) => void held.push(() => response.writeHead(204).end());
  const { institution } = await withConsent(delivery);
  await expect.poll(() => held.length, POLL).toBe(1);
  delivery.advance(HOUR);
  await expectNoneClaimed(delivery);
  expect(held).toHaveLength(1);
  held[0]?.();
  await expect.poll(async () => (await delivery.state(institution)).waiting.events, POLL).toBe(0);
  expect(receiver.received).toHaveLength(1);
});

test('what happens while a response is awaited is sent afterwards', async () => {
  const delivery = newDelivery();
  const { receiver } = delivery;
  const held: (() => void)[] = [];
  receiver.reply = (response) => void held.push(() => response.writeHead(204).end());
  const { institution, holder } = await withConsent(delivery);
  await expect.poll(() => held.length, POLL).toBe(1);
  await delivery.toggle(holder, 1);
  await expect.poll(() => isSearched(delivery), POLL).toBe(true);
  receiver.reply = answering(204);
  held[0]?.();
  await expect.poll(() => receiver.received.length, POLL).toBe(3);
  expect(idsOf(receiver)).toEqual((await delivery.all(institution)).map(({ id }) => id));
});

describe('the URL of a webhook', () => {
  test('that changes continues at the same place, at once and without a pause', async () => {
    const delivery = newDelivery();
    const { receiver, other } = delivery;
    receiver.reply = answering(410);
    const { institution, holder } = await withConsent(delivery);
    await expect.poll(async () => (await delivery.state(institution)).status, POLL).toBe('PAUSED');
    await delivery.toggle(holder, 1);
    await delivery.setWebhook(institution, hookOf(other));
    await expect.poll(() => other.received.length, POLL).toBe(3);
    expect(idsOf(other)).toEqual((await delivery.all(institution)).map(({ id }) => id));
    expect(receiver.received).toHaveLength(1);
  });

  test('that is removed is sent nothing more, and nothing is kept', async () => {
    const delivery = newDelivery();
    const { institution, holder } = await withConsent(delivery);
    await expect.poll(() => delivery.receiver.received.length, POLL).toBe(1);
    await delivery.setWebhook(institution, null);
    await delivery.toggle(holder, 1);
    await expect.poll(() => hasRow(delivery, institution), POLL).toBe(false);
    await allSent(delivery);
    expect(delivery.receiver.received).toHaveLength(1);
    expect(await delivery.state(institution)).toMatchObject({ status: 'NONE', webhook_url: null, responses: [] });
    expect(await delivery.control(institution, '/test', 'testWebhook')).toMatchObject({ status: 404 });
  });

  test('of a destroyed institution is deleted with its responses', async () => {
    const delivery = newDelivery();
    const { institution } = await withConsent(delivery);
    await expect.poll(() => delivery.receiver.received.length, POLL).toBe(1);
    expect((await delivery.ieo(institution, 'destroy', 'destroyIEO')).status).toBe(200);
    await expect.poll(() => hasRow(delivery, institution), POLL).toBe(false);
  });
});

describe('several processes', () => {
  const sharedKeys = (): Record<string, string> => ({
    ...keyFiles('RELAYER_KEY_FILE', 'WEBHOOK_KEY_FILE'),
    VAULT_KEY: '7a'.repeat(32),
  });

  test('send each event once, one at a time to an institution, in order', async () => {
    const env = sharedKeys();
    const delivery = await testDelivery({ env });
    await secondService(delivery, env);
    const { receiver } = delivery;
    const atOnce = new Map<string, number>();
    let most = 0;
    receiver.reply = (response, { body }) => {
      const { data } = JSON.parse(body);
      const path = String(data.beo_id);
      const now = (atOnce.get(path) ?? 0) + 1;
      atOnce.set(path, now);
      most = Math.max(most, now);
      setTimeout(() => {
        atOnce.set(path, (atOnce.get(path) ?? 1) - 1);
        response.writeHead(204).end();
      }, 5);
    };
    const parties = await Promise.all(amount([1, 2], [1, 2, 3, 4]).map(() => withConsent(delivery)));
    const times = amount(2, 10);
    await Promise.all(parties.map(({ holder }) => delivery.toggle(holder, times)));
    await expect.poll(() => receiver.received.length, POLL).toBe(parties.length * (1 + 2 * times));
    await allSent(delivery);
    for (const { institution, holder } of parties) {
      const sent = receiver.received.filter(({ body }) => JSON.parse(body).data.beo_id === holder.id);
      const ids = sent.map(({ headers }) => headers['webhook-id']);
      expect(ids).toEqual((await delivery.all(institution)).map(({ id }) => id));
    }
    expect(most).toBe(1);
  });

  longTest('do not start with another key; during a rotation both keys sign', async () => {
    const env = sharedKeys();
    const delivery = await testDelivery({ env });
    const old = (await delivery.service.get('/.well-known/webhook-key')).body.keys;
    await expect(
      secondService(delivery, { ...env, WEBHOOK_KEY_FILE: sharedKeys().WEBHOOK_KEY_FILE ?? '' }),
    ).rejects.toThrow(/^The webhook key is not the one that this database was used with\./);
    const rotated = `${env.WEBHOOK_KEY_FILE}-rotated`;
    writeFileSync(rotated, `${randomBytes(32).toString('hex')}\n${readFileSync(env.WEBHOOK_KEY_FILE ?? '', 'utf8')}\n`);
    await delivery.service.service.context.webhooks.stop();
    const second = await secondService(delivery, { ...env, WEBHOOK_KEY_FILE: rotated });
    const { keys } = (await second.get('/.well-known/webhook-key')).body;
    expect([keys.length, keys[1]]).toEqual([2, old[0]]);
    await withConsent(delivery);
    await expect.poll(() => delivery.receiver.received.length, POLL).toBe(1);
    const [received] = delivery.receiver.received;
    expect(received && verifyWebhook(received, keys).valid).toEqual([true, true]);
  });
});

describe('an institution', () => {
  test('pauses and resumes delivery, and no event is lost', async () => {
    const delivery = newDelivery();
    const { receiver } = delivery;
    const { institution, holder } = await withConsent(delivery);
    await expect.poll(() => receiver.received.length, POLL).toBe(1);
    const paused = await delivery.control(institution, '/pause', 'pauseWebhook');
    expect([paused.status, paused.body.status, paused.body.pause_reason]).toEqual([200, 'PAUSED', 'REQUESTED']);
    await delivery.toggle(holder, 2);
    await expectNoneClaimed(delivery);
    expect(receiver.received).toHaveLength(1);
    expect((await delivery.state(institution)).waiting.events).toBe(4);
    await delivery.control(institution, '/resume', 'resumeWebhook');
    await expect.poll(() => receiver.received.length, POLL).toBe(5);
    expect(idsOf(receiver)).toEqual((await delivery.all(institution)).map(({ id }) => id));
  });

  test('sends a test, also while paused, and reads the response', async () => {
    const delivery = newDelivery();
    const { receiver, service } = delivery;
    const institution = await delivery.institutionWithWebhook(hookOf(receiver));
    await delivery.control(institution, '/pause', 'pauseWebhook');
    receiver.reply = (response) => response.writeHead(418).end('a teapot\u0000\ud800');
    const { status, body } = await delivery.control(institution, '/test', 'testWebhook');
    expect(status).toBe(200);
    expect(body.response).toMatchObject({ sent: 'test', event_type: 'webhook.test', status: 418 });
    expect(body.responses).toEqual([body.response]);
    const [received] = receiver.received;
    const { keys } = (await service.get('/.well-known/webhook-key')).body;
    expect(received && verifyWebhook(received, keys)).toMatchObject({
      valid: [true],
      id: body.response.event_id,
      payload: { type: 'webhook.test', data: { ieo_id: institution.id } },
    });

    // As before the delivery has found a webhook that was only just set.
    await service.service.context.pool.query('DELETE FROM webhooks WHERE ieo_id = $1', [institution.id]);
    const again = await delivery.control(institution, '/test', 'testWebhook');
    expect(again.body.responses).toEqual([again.body.response]);
  });

  test('sends one event again, and replays a range or everything from a place on', async () => {
    const delivery = newDelivery();
    const { receiver } = delivery;
    const { institution, holder } = await withConsent(delivery);
    await delivery.toggle(holder, 3);
    await expect.poll(() => receiver.received.length, POLL).toBe(7);
    await expect.poll(async () => (await delivery.state(institution)).waiting.events, POLL).toBe(0);
    const events = await delivery.all(institution);
    const ids = events.map(({ id }) => id);
    const sentSince = async (count: number, action: () => Promise<{ status: number; body: unknown }>) => {
      const before = receiver.received.length;
      const { status, body } = await action();
      expect(status, JSON.stringify(body)).toBe(200);
      await expect.poll(() => receiver.received.length, POLL).toBe(before + count);
      await allSent(delivery);
      expect(receiver.received).toHaveLength(before + count);
      return idsOf(receiver).slice(before);
    };
    const [, second, third, , fifth] = events;
    const resent = await sentSince(1, () =>
      delivery.control(institution, '/resend', 'resendEvent', { eventId: ids[2] ?? '', at: third?.at ?? '' }),
    );
    expect(resent).toEqual([ids[2]]);
    const replay = (from: string, until: string | null) => () =>
      delivery.control(institution, '/replay', 'replayEvents', { from, until });
    expect(await sentSince(4, replay(second?.at ?? '', fifth?.at ?? ''))).toEqual(ids.slice(1, 5));
    const { next_cursor: cursor } = await delivery.page(institution, { limit: 4 });
    expect(await sentSince(3, replay(cursor, null))).toEqual(ids.slice(4));
    await delivery.toggle(holder, 1);
    await expect.poll(() => receiver.received.length, POLL).toBe(7 + 1 + 4 + 3 + 2);
    expect(
      idsOf(receiver)
        .slice(-2)
        .filter((id) => ids.some((known) => known === id)),
    ).toEqual([]);
  });

  longTest('is refused what is not its own or makes no sense', async () => {
    const delivery = newDelivery();
    const { institution } = await withConsent(delivery);
    const stranger = await withConsent(delivery);
    await expect.poll(() => delivery.receiver.received.length, POLL).toBe(2);
    const [event] = await delivery.all(stranger.institution);
    const { next_cursor: theirs } = await delivery.page(stranger.institution);
    const refusedCode = async (
      action: string,
      name: string,
      more = {},
      who: Pick<typeof institution, 'person' | 'id'> = institution,
    ) => {
      const { status, body } = await delivery.control(who, `/${action}`, name, more);
      return [status, body.code];
    };
    const resend = { eventId: event?.id ?? '', at: event?.at ?? '' };
    expect(await refusedCode('resend', 'resendEvent', resend)).toEqual([404, 'NOT_FOUND']);
    const invalid = [400, 'VALIDATION_FAILED'];
    expect(await refusedCode('resend', 'resendEvent', { ...resend, eventId: 'evt_1' })).toEqual(invalid);
    for (const from of [theirs, 'forged', '2999-01-01T00:00:00Z', 'yesterday', '', 'x'.repeat(600)]) {
      expect(await refusedCode('replay', 'replayEvents', { from, until: null }), from).toEqual(invalid);
    }
    const times = { from: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' };
    expect(await refusedCode('replay', 'replayEvents', times)).toEqual(invalid);
    const other = { person: newPerson(), id: institution.id };
    for (const [action, name] of [
      ['pause', 'pauseWebhook'],
      ['test', 'testWebhook'],
    ] as const) {
      expect(await refusedCode(action, name, {}, other)).toEqual([401, 'INVALID_SIGNATURE']);
      expect(await refusedCode(action, 'resumeWebhook')).toEqual([401, 'INVALID_SIGNATURE']);
    }
    expect((await delivery.control(other, '', 'readWebhook')).body.code).toBe('INVALID_SIGNATURE');
    expect(await delivery.state(institution)).toMatchObject({ status: 'ACTIVE', failures: 0 });
  });
});

test('a service without a key sends nothing, says so, and publishes no key', async () => {
  const delivery = await testDelivery({ env: withoutWebhookKey() });
  const institution = await delivery.newInstitution();
  await delivery.setWebhook(institution, hookOf(delivery.receiver));
  expect((await delivery.state(institution)).status).toBe('OFF');
  expect(await delivery.control(institution, '/test', 'testWebhook')).toMatchObject({ status: 503 });
  expect(await delivery.service.get('/.well-known/webhook-key')).toMatchObject({ status: 404 });
  expect(await delivery.service.get('/.well-known/jwks.json')).toMatchObject({ status: 404 });
});

// It stops the deliveries of the shared service, so it is the last test.
test('the lag grows while the search for events makes no progress, too', async () => {
  const delivery = newDelivery();
  const { service } = delivery;
  await delivery.institutionWithWebhook(hookOf(delivery.receiver));
  await allSent(delivery);
  await service.service.context.webhooks.stop();
  await delivery.newHolder();
  delivery.advance(HOUR);
  const [, lag] = /^perpetua_webhook_lag_seconds (\S+)$/m.exec((await service.get('/metrics')).body) ?? [];
  expect(Number(lag)).toBeGreaterThanOrEqual(3_600);
});
