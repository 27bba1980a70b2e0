import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLimiter, type Limiter, LimiterUnavailable } from './limiter.ts';
import { createRedisStore } from './redis-store.ts';
import { expectNetworkLimits } from './test-redis/ipv6-networks.ts';
import { createRedisProcess, type RedisProcess } from './test-redis/redis-process.ts';

const WINDOW_MS = 60_000;
const opened: Limiter[] = [];
let redis: RedisProcess;
let clientCount = 0;

/** A busy machine exceeds the deadline of a running service. Short, where the test waits for its end. */
const [PATIENT_MS, SHORT_MS] = [60_000, 5_000];

/** A limiter like that of one process, with a clock that can be shifted. */
function openProcess({ hashKey = 'a secret', deadlineMs = PATIENT_MS } = {}) {
  const clock = { offset: 0 };
  const errors: Error[] = [];
  const store = createRedisStore(redis.url, {
    hashKey,
    deadlineMs,
    now: () => Date.now() + clock.offset,
    onError: (error) => errors.push(error),
  });
  const limiter = createLimiter({ enabled: true, store });
  opened.push(limiter);
  return { limiter, clock, errors };
}

function newClient() {
  clientCount += 1;
  return { address: `198.51.${clientCount >> 8}.${clientCount & 255}` };
}

async function allowedOf(limiter: Limiter, subject: { address: string }, times: number) {
  const answers = await Promise.all(Array.from({ length: times }, () => limiter.charge('relayer', subject)));
  return answers.filter(({ allowed }) => allowed).length;
}

const untilReachable = (limiter: Limiter) =>
  expect
    .poll(async () => {
      const [outcome] = await Promise.allSettled([limiter.charge('query', newClient())]);
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(LimiterUnavailable);
      return outcome.status;
    })
    .toBe('fulfilled');

beforeAll(async () => {
  redis = await createRedisProcess();
  await redis.start();
}, 400_000);

afterEach(async () => {
  for (const limiter of opened.splice(0)) await limiter.close();
});

afterAll(async () => redis?.remove());

describe('counters in Redis', () => {
  test('are shared: two processes together allow exactly the limit', async () => {
    const client = newClient();
    const [first, second] = [openProcess(), openProcess()];
    const allowed = await Promise.all([
      allowedOf(first.limiter, client, 30),
      allowedOf(second.limiter, client, 30),
      allowedOf(first.limiter, client, 30),
    ]);
    expect(allowed.reduce((sum, count) => sum + count)).toBe(10);
    expect(await allowedOf(second.limiter, newClient(), 30)).toBe(10);
  });

  test('count the /64, /56 and /48 of an IPv6 address', async () => {
    await expectNetworkLimits(openProcess().limiter, '2');
  });

  test('use a sliding window: a refused client can retry at the reported time', async () => {
    const client = newClient();
    const { limiter, clock } = openProcess();
    expect(await limiter.charge('relayer', client)).toMatchObject({ allowed: true, remaining: 9, resetSeconds: 60 });
    clock.offset = 20_000;
    expect(await allowedOf(limiter, client, 20)).toBe(9);
    clock.offset = 50_000;
    const refused = await limiter.charge('relayer', client);
    expect(refused.allowed).toBe(false);
    expect(refused.resetSeconds).toBeLessThanOrEqual(10);
    clock.offset += refused.resetSeconds * 1000;
    expect(await allowedOf(limiter, client, 20)).toBe(1);
    clock.offset = 20_000 + WINDOW_MS;
    expect(await allowedOf(limiter, client, 20)).toBe(9);
  });

  test('allow no extra charges to a client that alternates between processes with different clocks', async () => {
    const client = newClient();
    const [early, late] = [openProcess(), openProcess()];
    early.clock.offset = -10_000;
    let allowed = 0;
    for (let turn = 0; turn < 20; turn++) {
      allowed += await allowedOf(late.limiter, client, 1);
      allowed += await allowedOf(early.limiter, client, 1);
    }
    expect(allowed).toBe(10);
  });

  test('contain no address or key, and expire', async () => {
    const { limiter } = openProcess();
    const reader = new Redis(redis.url);
    await reader.flushall();
    const key = 'ab'.repeat(32);
    await limiter.charge('relayer', { address: '203.0.113.77' });
    await limiter.charge('relayer', { key });
    const names = await reader.keys('*');
    expect(names).toHaveLength(2);
    for (const name of names) {
      expect(name).toMatch(/^perpetua:limit:relayer:[\w-]{22}$/);
      expect(await reader.pttl(name)).toBeGreaterThan(0);
      expect(await reader.pttl(name)).toBeLessThanOrEqual(WINDOW_MS);
    }
    await openProcess({ hashKey: 'another secret' }).limiter.charge('relayer', { key });
    expect(await reader.keys('*')).toHaveLength(3);
    reader.disconnect();
  });

  test('work after the server loses its scripts', async () => {
    const client = newClient();
    const { limiter } = openProcess();
    expect(await allowedOf(limiter, client, 4)).toBe(4);
    const operator = new Redis(redis.url);
    await operator.script('FLUSH');
    operator.disconnect();
    expect(await allowedOf(limiter, client, 20)).toBe(6);
  });
});

describe('a Redis failure', () => {
  test('by kill -9 under load lets no charge hang, and the limiter recovers with the server', async () => {
    const { limiter } = openProcess();
    async function chargeUntilItFails() {
      for (let count = 0; ; count++) {
        try {
          expect(await limiter.charge('relayer', newClient())).toMatchObject({ allowed: true, remaining: 9 });
        } catch (error) {
          expect(error).toBeInstanceOf(LimiterUnavailable);
          return count;
        }
      }
    }
    await untilReachable(limiter);
    const load = Promise.all(Array.from({ length: 20 }, chargeUntilItFails));
    await untilReachable(limiter);
    await redis.kill();
    for (const count of await load) expect(count).toBeGreaterThan(0);
    await expect(limiter.charge('relayer', newClient())).rejects.toBeInstanceOf(LimiterUnavailable);

    await redis.start();
    await untilReachable(limiter);
    expect(await allowedOf(limiter, newClient(), 30)).toBe(10);
  });

  test('by a hang makes charges fail, and the limiter recovers with the server', async () => {
    const { limiter } = openProcess({ deadlineMs: SHORT_MS });
    const client = newClient();
    await untilReachable(limiter);
    redis.freeze();
    try {
      const answers = await Promise.allSettled(Array.from({ length: 20 }, () => limiter.charge('relayer', client)));
      for (const answer of answers) {
        expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(LimiterUnavailable) });
      }
      await expect(limiter.charge('relayer', client)).rejects.toBeInstanceOf(LimiterUnavailable);
    } finally {
      redis.resume();
    }
    await untilReachable(limiter);
    expect(await allowedOf(openProcess().limiter, newClient(), 30)).toBe(10);
  });

  test('before the start makes charges fail until the server is available', async () => {
    await redis.kill();
    const { limiter, errors } = openProcess();
    await expect(limiter.charge('relayer', newClient())).rejects.toBeInstanceOf(LimiterUnavailable);
    await redis.start();
    await untilReachable(limiter);
    expect(errors[0]?.message).toContain('ECONNREFUSED');
    expect(await allowedOf(limiter, newClient(), 30)).toBe(10);
  });

  test('is reported by a closed limiter', async () => {
    const { limiter } = openProcess();
    await untilReachable(limiter);
    await limiter.close();
    await expect(limiter.charge('relayer', newClient())).rejects.toBeInstanceOf(LimiterUnavailable);
  });
});
