import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const times = z.int().positive().optional();

/**
 * How the devnet misbehaves. With `times`, that often; without, until the next switch.
 * - refuse: every connection is cut before an answer; - error: every request is answered 500 (or `status`)
 * - delay: every request waits `ms`; without `ms` it hangs until the switch changes, and is not carried out
 * - cut: a posted transaction is accepted, but the connection breaks before the answer
 * - drop: a posted transaction is answered 200 and forgotten; - price: prices are quoted `factor` times as high
 * - page: a GraphQL page holds at most `size`, and says that nothing follows, as public gateways do beyond 100
 */
export const faultShape = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('none') }),
  z.strictObject({ mode: z.literal('refuse'), times }),
  z.strictObject({ mode: z.literal('error'), status: z.int().min(400).max(599).optional(), times }),
  z.strictObject({ mode: z.literal('delay'), ms: z.int().nonnegative().max(600_000).optional(), times }),
  z.strictObject({ mode: z.literal('cut'), times }),
  z.strictObject({ mode: z.literal('drop'), times }),
  z.strictObject({ mode: z.literal('price'), factor: z.int().positive() }),
  z.strictObject({ mode: z.literal('page'), size: z.int().positive() }),
]);

export type Fault = z.infer<typeof faultShape>;
export type Faults = ReturnType<typeof createFaults>;

export function createFaults() {
  let fault: Fault = { mode: 'none' };
  let used = 0;
  let changed = new AbortController();

  function set(next: Fault): void {
    fault = next;
    used = 0;
    changed.abort();
    changed = new AbortController();
  }

  /** Uses up one of the `times` of the current fault, if it is of this mode. */
  function take<Mode extends Fault['mode']>(mode: Mode): Extract<Fault, { mode: Mode }> | undefined {
    if (fault.mode !== mode) return undefined;
    const current = fault as Extract<Fault, { mode: Mode }>;
    used++;
    if ('times' in current && current.times !== undefined && used >= current.times) set({ mode: 'none' });
    return current;
  }

  return {
    set,
    current: (): Fault => fault,
    take,
    /** The most that a page holds, where pages do not say whether more follows. */
    pageSize: () => (fault.mode === 'page' ? fault.size : null),
    priceFactor: () => (fault.mode === 'price' ? BigInt(fault.factor) : 1n),

    /** Waits as a delay fault says. False: it hung, and the request must not be carried out. */
    async delayed(): Promise<boolean> {
      const delay = fault.mode === 'delay' ? fault : undefined;
      const { signal } = changed;
      if (!delay) return true;
      if (delay.ms !== undefined) {
        take('delay');
        await sleep(delay.ms);
        return true;
      }
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return false;
    },
  };
}
