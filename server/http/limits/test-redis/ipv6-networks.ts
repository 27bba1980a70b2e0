import { expect } from 'vitest';
import type { Limiter } from '../limiter.ts';

/** Expects that each /64, /56 and /48 has 1, 4 and 16 times the 10 requests of `relayer`, and that refused ones count nowhere. */
export async function expectNetworkLimits(limiter: Limiter, site: string): Promise<void> {
  const charge = (subnet: number, host = 1) =>
    limiter.charge('relayer', { address: `2001:db8:${site}:${subnet.toString(16)}::${host.toString(16)}` });
  /** How many of the charges are allowed, ten at once. */
  async function allowed(count: number, one: (index: number) => ReturnType<typeof charge>): Promise<number> {
    let sum = 0;
    for (let done = 0; done < count; done += 10) {
      const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => one(done + index)));
      sum += answers.filter((answer) => answer.allowed).length;
    }
    return sum;
  }

  expect(await charge(0)).toMatchObject({ allowed: true, limit: 10, remaining: 9 });
  expect(await allowed(60, (host) => charge(0, host))).toBe(9);
  // Other networks of the same /56.
  expect(await allowed(250, (subnet) => charge(subnet + 1))).toBe(30);
  expect(await charge(255)).toMatchObject({ allowed: false, limit: 40, remaining: 0 });
  // 300 networks of other /56s, three in each.
  expect(await allowed(300, (index) => charge(0x100 * (1 + (index % 100)) + index))).toBe(120);
  expect(await charge(0xff00)).toMatchObject({ allowed: false, limit: 160, remaining: 0 });
}
