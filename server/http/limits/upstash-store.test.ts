import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLimiterStore } from './create-store.ts';
import { createLimiter, type Limiter, LimiterUnavailable } from './limiter.ts';
import { createRedisProcess, type RedisProcess } from './testing/redis-process.ts';
import { createUpstashBridge, type UpstashBridge } from './testing/upstash-bridge.ts';

const SOMEONE = { address: '203.0.113.5' };
const OTHERS = { address: '203.0.113.6' };
const opened: Limiter[] = [];
let redis: RedisProcess;
let upstash: UpstashBridge;

function openLimiter(token = 'the token') {
  const store = createLimiterStore({ UPSTASH_REDIS_REST_URL: upstash.url, UPSTASH_REDIS_REST_TOKEN: token });
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
  test('allow exactly the limit, in sequence and at once, over all processes', async () => {
    const [one, other] = [openLimiter(), openLimiter()];
    expect(await one.charge('relayer', SOMEONE)).toEqual({ allowed: true, limit: 10, remaining: 9, resetSeconds: 60 });
    const allowed = await Promise.all([allowedOf(one, SOMEONE, 20), allowedOf(other, SOMEONE, 20)]);
    expect(allowed[0] + allowed[1]).toBe(9);
    expect((await other.charge('relayer', SOMEONE)).allowed).toBe(false);
    expect(await allowedOf(other, OTHERS, 20)).toBe(10);
    expect(upstash.requests()).toBeGreaterThan(0);
  });

  test('fail with a wrong token, so no request is allowed', async () => {
    await expect(openLimiter('another token').charge('relayer', SOMEONE)).rejects.toBeInstanceOf(LimiterUnavailable);
  });

  test('that hang fail every charge', async () => {
    const limiter = openLimiter();
    expect(await allowedOf(limiter, SOMEONE, 3)).toBe(3);
    upstash.hang();
    await expect(allowedOf(limiter, SOMEONE, 3)).rejects.toBeInstanceOf(LimiterUnavailable);
  });

  test('whose database fails behind the gateway fail every charge', async () => {
    const limiter = openLimiter();
    await redis.kill();
    await expect(limiter.charge('relayer', SOMEONE)).rejects.toBeInstanceOf(LimiterUnavailable);
  });
});
