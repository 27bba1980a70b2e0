import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLimiterStore } from './create-store.ts';
import { createLimiter, type Limiter, LimiterUnavailable } from './limiter.ts';
import { expectNetworkLimits } from './test-redis/ipv6-networks.ts';
import { createRedisProcess, type RedisProcess } from './test-redis/redis-process.ts';
import { createUpstashBridge, type UpstashBridge } from './test-redis/upstash-bridge.ts';

const CLIENT = { address: '203.0.113.5' };
const ANOTHER_CLIENT = { address: '203.0.113.6' };
const opened: Limiter[] = [];
let redis: RedisProcess;
let upstash: UpstashBridge;

/** A busy machine exceeds the deadline of a running service. Short, where the test waits for its end. */
const [PATIENT_MS, SHORT_MS] = [60_000, 5_000];

function openLimiter({ token = 'the token', deadlineMs = PATIENT_MS } = {}) {
  const settings = { UPSTASH_REDIS_REST_URL: upstash.url, UPSTASH_REDIS_REST_TOKEN: token };
  const store = createLimiterStore(settings, { deadlineMs });
  const limiter = createLimiter({ enabled: true, store });
  opened.push(limiter);
  return limiter;
}

async function allowedOf(limiter: Limiter, subject: { address: string }, times: number) {
  const answers = await Promise.all(Array.from({ length: times }, () => limiter.charge('relayer', subject)));
  return answers.filter(({ allowed }) => allowed).length;
}

beforeAll(async () => {
  redis = await createRedisProcess();
}, 400_000);

beforeEach(async () => {
  await redis.start();
  upstash = await createUpstashBridge(redis.url, 'the token');
});

afterEach(async () => {
  for (const limiter of opened.splice(0)) await limiter.close();
  await upstash.close();
  await redis.kill();
});

afterAll(async () => redis?.remove());

describe('counters in Upstash Redis', () => {
  test('allow exactly the limit over all processes, sequentially and concurrently', async () => {
    const [first, second] = [openLimiter(), openLimiter()];
    expect(await first.charge('relayer', CLIENT)).toEqual({ allowed: true, limit: 10, remaining: 9, resetSeconds: 60 });
    const allowed = await Promise.all([allowedOf(first, CLIENT, 20), allowedOf(second, CLIENT, 20)]);
    expect(allowed[0] + allowed[1]).toBe(9);
    expect((await second.charge('relayer', CLIENT)).allowed).toBe(false);
    expect(await allowedOf(second, ANOTHER_CLIENT, 20)).toBe(10);
    expect(upstash.requests()).toBeGreaterThan(0);
  });

  test('fail every charge with a wrong token', async () => {
    const limiter = openLimiter({ token: 'another token' });
    await expect(limiter.charge('relayer', CLIENT)).rejects.toBeInstanceOf(LimiterUnavailable);
  });

  test('count the /64, /56 and /48 of an IPv6 address', async () => {
    await expectNetworkLimits(openLimiter(), '3');
  });

  test('fail every charge if the server hangs', async () => {
    expect(await allowedOf(openLimiter(), CLIENT, 3)).toBe(3);
    upstash.hang();
    await expect(allowedOf(openLimiter({ deadlineMs: SHORT_MS }), CLIENT, 3)).rejects.toBeInstanceOf(
      LimiterUnavailable,
    );
  });

  test('fail every charge if the database behind the gateway fails', async () => {
    const limiter = openLimiter();
    await redis.kill();
    await expect(limiter.charge('relayer', CLIENT)).rejects.toBeInstanceOf(LimiterUnavailable);
  });
});
