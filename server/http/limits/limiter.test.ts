import { afterEach, describe, expect, test } from 'vitest';
import { LIMIT_GROUPS, type LimitGroup } from './groups.ts';
import { createLimiter, type Limiter, LimiterUnavailable, type LimitSubject, stricter } from './limiter.ts';
import { createMemoryStore } from './memory-store.ts';
import { createRedisStore } from './redis-store.ts';
import { expectNetworkLimits } from './test-redis/ipv6-networks.ts';

const ALICE = { address: '192.0.2.1' };
const BOB = { address: '192.0.2.2' };
const KEY = { key: 'ab'.repeat(32) };
const opened: Limiter[] = [];

function openLimiter() {
  const clock = { at: 5_000_000 };
  const limiter = createLimiter({ enabled: true, store: createMemoryStore({ now: () => clock.at }) });
  opened.push(limiter);
  return { limiter, clock };
}

async function allowedOf(limiter: Limiter, group: LimitGroup, subject: LimitSubject, times: number) {
  const answers = await Promise.all(Array.from({ length: times }, () => limiter.charge(group, subject)));
  return answers.filter(({ allowed }) => allowed).length;
}

afterEach(async () => {
  for (const limiter of opened.splice(0)) await limiter.close();
});

describe('the limiter', () => {
  test('has the groups and numbers of the specification', () => {
    expect(Object.fromEntries(Object.entries(LIMIT_GROUPS).map(([group, { limit }]) => [group, limit]))).toEqual({
      relayer: 10,
      query: 60,
      consent: 15,
      exchange_submit: 10,
      exchange_read: 30,
      export: 5,
      entry_export: 5,
      guardian_invite: 5,
      guardian_link: 5,
      guardian_read: 60,
      share_read: 60,
      log_read: 12_000,
      trpc_write: 45,
      trpc_read: 300,
    });
    const perKey = Object.entries(LIMIT_GROUPS).filter(([, group]) => group.perKey);
    expect(perKey.map(([name]) => name)).toEqual(['relayer', 'guardian_invite']);
  });

  test.each(Object.keys(LIMIT_GROUPS) as LimitGroup[])(
    'allows exactly the limit of %s, also concurrently',
    async (group) => {
      const { limiter } = openLimiter();
      const { limit } = LIMIT_GROUPS[group];
      expect(await allowedOf(limiter, group, ALICE, limit + 20)).toBe(limit);
      expect(await allowedOf(limiter, group, BOB, limit + 20)).toBe(limit);
    },
  );

  test('counts groups, addresses and keys separately', async () => {
    const { limiter } = openLimiter();
    expect(await allowedOf(limiter, 'guardian_link', ALICE, 9)).toBe(5);
    expect(await allowedOf(limiter, 'guardian_invite', ALICE, 9)).toBe(5);
    expect(await allowedOf(limiter, 'guardian_invite', KEY, 9)).toBe(5);
  });

  test('recognises a key in either case, and an address in any notation', async () => {
    const { limiter } = openLimiter();
    expect(await allowedOf(limiter, 'relayer', KEY, 6)).toBe(6);
    expect(await allowedOf(limiter, 'relayer', { key: KEY.key.toUpperCase() }, 6)).toBe(4);
    expect(await allowedOf(limiter, 'relayer', ALICE, 6)).toBe(6);
    expect(await allowedOf(limiter, 'relayer', { address: '::ffff:192.0.2.1' }, 6)).toBe(4);
    expect(await allowedOf(limiter, 'relayer', { address: '2001:db8::1' }, 6)).toBe(6);
    expect(await allowedOf(limiter, 'relayer', { address: '2001:db8::ffff:1' }, 6)).toBe(4);
    expect(await allowedOf(limiter, 'relayer', { address: '2001:db8:0:1::1' }, 6)).toBe(6);
  });

  test('counts the /64, /56 and /48 of an IPv6 address', async () => {
    await expectNetworkLimits(openLimiter().limiter, '1');
  });

  test('reports when a refused client can retry, which is allowed then and not a second earlier', async () => {
    const { limiter, clock } = openLimiter();
    await limiter.charge('export', ALICE);
    clock.at += 12_300;
    await allowedOf(limiter, 'export', ALICE, 4);
    clock.at += 5_000;
    const refused = await limiter.charge('export', ALICE);
    expect(refused).toEqual({ allowed: false, limit: 5, remaining: 0, resetSeconds: 43 });
    clock.at += 42_000;
    expect((await limiter.charge('export', ALICE)).resetSeconds).toBe(1);
    expect((await limiter.charge('export', ALICE)).allowed).toBe(false);
    clock.at += 1_000;
    expect((await limiter.charge('export', ALICE)).allowed).toBe(true);
    expect((await limiter.charge('export', ALICE)).allowed).toBe(false);
  });

  test('does not count refusals: a client that keeps retrying is allowed as early as one that waits', async () => {
    const { limiter, clock } = openLimiter();
    await allowedOf(limiter, 'export', ALICE, 5);
    for (let second = 1; second < 60; second++) {
      clock.at += 1_000;
      expect(await allowedOf(limiter, 'export', ALICE, 10)).toBe(0);
    }
    clock.at += 1_000;
    expect(await allowedOf(limiter, 'export', ALICE, 10)).toBe(5);
  });
});

describe('the headers', () => {
  test('are those of the draft, with Retry-After only on a refusal', async () => {
    const { limiter, clock } = openLimiter();
    expect(limiter.headers(await limiter.charge('relayer', ALICE), 'relayer')).toEqual({
      'RateLimit-Policy': '"relayer";q=10;w=60',
      RateLimit: '"relayer";r=9;t=60',
    });
    clock.at += 10_001;
    await allowedOf(limiter, 'relayer', ALICE, 9);
    expect(limiter.headers(await limiter.charge('relayer', ALICE), 'relayer')).toEqual({
      'RateLimit-Policy': '"relayer";q=10;w=60',
      RateLimit: '"relayer";r=0;t=50',
      'Retry-After': '50',
    });
  });

  test('report the refused one of two limits, otherwise the one with less remaining', async () => {
    const { limiter } = openLimiter();
    const byAddress = await limiter.charge('relayer', ALICE);
    await allowedOf(limiter, 'relayer', KEY, 5);
    const byKey = await limiter.charge('relayer', KEY);
    expect(stricter(byAddress, byKey)).toBe(byKey);
    await allowedOf(limiter, 'relayer', BOB, 9);
    const last = await limiter.charge('relayer', BOB);
    const refused = await limiter.charge('relayer', BOB);
    expect([last.allowed, last.remaining, refused.allowed, refused.remaining]).toEqual([true, 0, false, 0]);
    expect(stricter(last, refused)).toBe(refused);
    expect(stricter(refused, last)).toBe(refused);
  });
});

describe('a limiter', () => {
  test('that is off allows everything and sets no headers', async () => {
    const store = createMemoryStore();
    const limiter = createLimiter({ enabled: false, store });
    opened.push(limiter);
    expect(await allowedOf(limiter, 'export', ALICE, 1_000)).toBe(1_000);
    expect(limiter.headers(await limiter.charge('export', ALICE), 'export')).toEqual({});
    expect(store.size()).toBe(0);
  });

  test('whose store is unreachable does not allow anything', async () => {
    const limiter = createLimiter({ enabled: true, store: createRedisStore('redis://127.0.0.1:1') });
    opened.push(limiter);
    const answers = await Promise.allSettled(Array.from({ length: 50 }, () => limiter.charge('query', ALICE)));
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(LimiterUnavailable) });
  });
});
