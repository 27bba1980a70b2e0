import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amount, inFull } from '../../../protocol/test-amount.ts';
import { A_DIGEST, expectRefusal } from '../../http/rest/test-refusal.ts';
import { wholeChain } from '../../ledger/test-chain.ts';
import { createClock } from '../../platform/db/clock.ts';
import { freePort } from '../../platform/listening/free-port.ts';
import { type Answer, newPerson, startTestService, type TestService } from '../../testing/test-service.ts';
import type { Fields } from '../../write/test-parties.ts';
import { ACCEPT_JSON, type Guardians, guardiansOf, HOUR, SMALL_ORDER_KEYS } from './test-guardians.ts';

const longTest = inFull(test);

let shift = 0;
let service: TestService;
let guardians: Guardians;
beforeAll(async () => {
  const mail = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}`, MAIL_FROM: 'guardians@example.org' };
  service = await startTestService(mail, { clock: createClock(Date.now, () => shift) });
  guardians = guardiansOf(service, () => Date.now() + shift);
});
afterAll(() => service.stop());

const PATH = '/api/relayer/beo/request-recovery';
const timestamp = (ms = 0) => new Date(Date.now() + shift + ms).toISOString();
const read = (path: string) => service.get(path, ACCEPT_JSON);

/** Requests of `count` strangers, a few at a time; each must succeed. */
async function strangersAsk(beoId: string, count: number): Promise<Answer['body'][]> {
  const opened: Answer['body'][] = [];
  const connection = async () => {
    while (opened.length < count) {
      const slot = opened.push(null) - 1;
      opened[slot] = await guardians.asked(beoId, newPerson().publicKey);
    }
  };
  await Promise.all(Array.from({ length: 8 }, connection));
  return opened;
}

describe('a request for recovery', () => {
  test('needs two eligible guardians', async () => {
    const key = newPerson().publicKey;
    const nobody = await guardians.newHolder();
    expectRefusal(await guardians.ask(nobody.id, key), 'RECOVERY_NOT_CONFIGURED');
    const one = await guardians.newHolder();
    await guardians.seat(one, 'primary');
    await guardians.invited(one, 'secondary');
    expectRefusal(await guardians.ask(one.id, key), 'RECOVERY_NOT_CONFIGURED');
    const {
      holder,
      guardians: [first, second],
    } = await guardians.guarded({ confirm: false });
    expect((await guardians.ask(holder.id, key)).status).toBe(200);
    await guardians.confirmed(holder, first);
    expectRefusal(await guardians.ask(holder.id, key), 'RECOVERY_NOT_CONFIGURED');
    await guardians.confirmed(holder, second);
    expect((await guardians.ask(holder.id, key)).status).toBe(200);
  });

  test('accepts any reference to the identity', async () => {
    const { holder } = await guardians.guarded();
    for (const name of [holder.id, holder.id.toUpperCase(), holder.domain, holder.transactionId]) {
      expect((await guardians.asked(name, newPerson().publicKey)).links).toHaveLength(2);
    }
    expectRefusal(await guardians.ask(randomUUID(), newPerson().publicKey), 'BEO_NOT_FOUND');
    expectRefusal(await guardians.ask('nobody.bsp', newPerson().publicKey), 'BEO_NOT_FOUND');
    expectRefusal(await guardians.ask('x'.repeat(80), newPerson().publicKey), 'VALIDATION_FAILED');
    expectRefusal(await guardians.ask('a\0b.bsp', newPerson().publicKey), 'VALIDATION_FAILED');
  });

  test('needs a new key that no one in this identity has', async () => {
    const {
      holder,
      guardians: [one, two],
    } = await guardians.guarded();
    expectRefusal(await guardians.ask(holder.id, holder.person.publicKey), 'KEY_UNCHANGED');
    expectRefusal(await guardians.ask(holder.id, holder.person.publicKey.toUpperCase()), 'KEY_UNCHANGED');
    for (const { person } of [one, two]) {
      expectRefusal(await guardians.ask(holder.id, person.publicKey), 'PUBLIC_KEY_TAKEN');
    }
    for (const key of SMALL_ORDER_KEYS) expectRefusal(await guardians.ask(holder.id, key), 'PUBLIC_KEY_INVALID');
    expectRefusal(await guardians.ask(holder.id, 'ab'.repeat(31)), 'PUBLIC_KEY_INVALID');
    const somebodys = (await guardians.newHolder()).person.publicKey;
    expect((await guardians.ask(holder.id, somebodys)).status).toBe(200);
  });

  test.each<[string, Fields]>([
    ['an unknown field', { reason: 'lost' }],
    ['a key that is a number', { newPublicKey: 1 }],
    ['no identity', { beoId: null }],
  ])('is refused with %s', async (_, more) => {
    const { holder } = await guardians.guarded();
    expectRefusal(await guardians.ask(holder.id, newPerson().publicKey, more), 'VALIDATION_FAILED');
    expectRefusal(await service.post(`${PATH}?lang=es`, {}), 'VALIDATION_FAILED');
  });

  test('with any signature field is checked as a signed one', async () => {
    const { holder } = await guardians.guarded();
    const next = newPerson();
    const fields = { beoId: holder.id, newPublicKey: next.publicKey };
    const { signature, ...unsigned } = guardians.sign(next, 'requestRecovery', fields);
    expectRefusal(await service.post(PATH, unsigned), 'SIGNATURE_MISSING');
    expectRefusal(await service.post(PATH, { ...fields, signature }), 'NONCE_REQUIRED');
    const { nonce: _, ...without } = { ...unsigned, signature };
    expectRefusal(await service.post(PATH, without), 'NONCE_REQUIRED');
    const holders = await service.post(PATH, guardians.sign(holder.person, 'requestRecovery', fields));
    expectRefusal(holders, 'INVALID_SIGNATURE');
    expect(holders.body.details).toEqual({ expected_key: 'newPublicKey', message_sha256: A_DIGEST });
    expectRefusal(await service.post(PATH, guardians.sign(next, 'rotateKey', fields)), 'INVALID_SIGNATURE');
    const at = (ms: number) => next.sign('requestRecovery', fields, { timestamp: timestamp(ms) });
    expectRefusal(await service.post(PATH, at(-5 * 60_000 - 2_000)), 'TIMESTAMP_TOO_OLD');
    expectRefusal(await service.post(PATH, at(60_000)), 'TIMESTAMP_IN_FUTURE');
    const good = at(-4 * 60_000);
    expect((await service.post(PATH, good)).status).toBe(200);
    const again = await service.post(PATH, good);
    expectRefusal(again, 'NONCE_REUSED');
    expect(again.body.details).toEqual({ transactionId: null });
    const { nonce } = good;
    const elsewhere = next.sign('requestRecovery', fields, { nonce, timestamp: timestamp() });
    expectRefusal(await service.post(PATH, elsewhere), 'NONCE_REUSED');
  });

  test('works while the identity is locked, and leaves it locked', async () => {
    const guarded = await guardians.guarded();
    await guardians.beo(guarded.holder, 'lock', 'lockBEO');
    const { locked_at } = await guardians.beoOf(guarded.holder.id);
    const renewed = await guardians.recovered(guarded);
    const beo = await guardians.beoOf(renewed.id);
    expect(beo).toMatchObject({ status: 'LOCKED', locked_at, public_key: renewed.person.publicKey, key_version: 2 });
    expectRefusal(await guardians.beo(guarded.holder, 'unlock', 'unlockBEO'), 'INVALID_SIGNATURE');
    expect((await guardians.beo(renewed, 'unlock', 'unlockBEO')).status).toBe(200);
  });
});

describe('after a recovery', () => {
  test('the identity cannot be destroyed and its guardians cannot be changed for 24 hours', async () => {
    const guarded = await guardians.guarded();
    const renewed = await guardians.recovered(guarded);
    const recoveredAt = Date.parse((await guardians.beoOf(renewed.id)).updated_at);
    const until = new Date(recoveredAt + 24 * HOUR).toISOString();
    const refusals = async () => [
      await guardians.beo(renewed, 'destroy', 'destroyBEO'),
      await guardians.configure(renewed, null),
      await guardians.configure(renewed, { guardians: [guardians.guardian('primary')] }),
    ];
    const goTo = (time: number) => {
      shift += time - service.service.context.clock.now();
    };
    for (const minutes of [0, 23 * 60 + 59]) {
      if (minutes) goTo(recoveredAt + minutes * 60_000);
      for (const answer of await refusals()) {
        expectRefusal(answer, 'RECOVERY_COOLDOWN');
        expect(answer.body.details).toEqual({ until });
      }
    }
    expect((await guardians.invite(renewed, 'tertiary')).status).toBe(201);
    goTo(recoveredAt + 24 * HOUR + 60_000);
    expect((await guardians.configure(renewed, { guardians: [guardians.guardian('primary')] })).status).toBe(200);
    expect((await guardians.beo(renewed, 'destroy', 'destroyBEO')).status).toBe(200);
  });

  test('it can be recovered again at once', async () => {
    const guarded = await guardians.guarded();
    const once = await guardians.recovered(guarded);
    const twice = await guardians.recovered({ ...guarded, holder: once });
    expect(await guardians.beoOf(twice.id)).toMatchObject({ key_version: 3, public_key: twice.person.publicKey });
  });
});

describe('strangers', () => {
  test('with many requests do not stop a recovery', async () => {
    const {
      holder,
      guardians: [one, two],
    } = await guardians.guarded();
    const next = newPerson().publicKey;
    const count = amount(10, 100);
    await strangersAsk(holder.id, count);
    const request = await guardians.asked(holder.domain, next);
    const strangers = await strangersAsk(holder.domain, count);
    expect((await guardians.beoOf(holder.id)).active_recovery).toBe(null);
    expect((await guardians.confirm(request, holder, next, one)).body).toMatchObject({ confirmations: 1 });
    expect((await guardians.confirm(request, holder, next, two)).body).toMatchObject({ executed: true });
    for (const link of [strangers[0], strangers.at(-1)].map((other) => guardians.linkFor(other, one))) {
      expectRefusal(await read(link), 'REQUEST_CLOSED');
    }
  });

  longTest('with over a thousand requests displace the oldest request, never a confirmed one', async () => {
    const {
      holder,
      guardians: [one, two],
    } = await guardians.guarded();
    const [next, other] = [newPerson().publicKey, newPerson().publicKey];
    const oldest = await guardians.asked(holder.id, other);
    const request = await guardians.asked(holder.id, next);
    expect((await guardians.confirm(request, holder, next, one)).status).toBe(200);
    const rows = "SELECT id FROM vault_rows WHERE owner_id = $1 AND id LIKE 'recovery:' || $2 || ':%'";
    const { pool } = service.service.context;
    expect((await pool.query(rows, [holder.id, oldest.request_id])).rows).toHaveLength(2);

    const stranger = await guardians.asked(holder.id, newPerson().publicKey);
    // Copies, since sending so many takes long.
    await pool.query(
      `INSERT INTO recovery_requests SELECT (jsonb_populate_record(r, jsonb_build_object('id', gen_random_uuid()))).*
       FROM recovery_requests r, generate_series(1, 998) WHERE r.id = $1`,
      [stranger.request_id],
    );
    expect((await read(guardians.linkFor(oldest, one))).status).toBe(200);
    const last = await guardians.asked(holder.id, newPerson().publicKey);
    expectRefusal(await read(guardians.linkFor(oldest, one)), 'LINK_NOT_FOUND');
    expectRefusal(await guardians.confirm(oldest, holder, other, one), 'LINK_NOT_FOUND');
    expect((await pool.query(rows, [holder.id, oldest.request_id])).rows).toEqual([]);
    expect((await read(guardians.linkFor(last, one))).status).toBe(200);
    expect((await read(guardians.linkFor(request, two))).body).toMatchObject({ confirmations: 1 });
    expect((await guardians.beoOf(holder.id)).active_recovery).toMatchObject({ request_id: request.request_id });
    expect((await guardians.confirm(request, holder, next, two)).body).toMatchObject({ executed: true });
    await wholeChain(pool);
  });
});
