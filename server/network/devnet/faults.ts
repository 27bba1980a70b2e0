import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const times = z.int().positive().optional();

/** The injected fault. It applies `times` times or, without `times`, until the next change. */
export const faultShape = z.discriminatedUnion('mode', [
  z.strictObject({ mode: z.literal('none') }),
  /** Closes every connection before the response. */
  z.strictObject({ mode: z.literal('refuse'), times }),
  /** Responds to every request with 500 or `status`, and asks to wait `retryAfter` seconds. */
  z.strictObject({
    mode: z.literal('error'),
    status: z.int().min(400).max(599).optional(),
    retryAfter: z.int().nonnegative().optional(),
    times,
  }),
  /** Delays every request by `ms`; without `ms` it hangs until the fault changes, and is not processed. */
  z.strictObject({ mode: z.literal('delay'), ms: z.int().nonnegative().max(600_000).optional(), times }),
  /** Accepts a posted transaction, but closes the connection before the response. */
  z.strictObject({ mode: z.literal('cut'), times }),
  /** Responds 200 to a posted transaction, but drops it. */
  z.strictObject({ mode: z.literal('drop'), times }),
  /** Keeps a posted transaction, but loses its data. */
  z.strictObject({ mode: z.literal('lose'), times }),
  /** Multiplies quoted prices by `factor`. */
  z.strictObject({ mode: z.literal('price'), factor: z.int().positive() }),
  /** Limits GraphQL pages to `size` and reports no next page, as public gateways do beyond 100. */
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

  /** The current fault if it has this mode; counts one of its `times`. */
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
    /** The page size under a `page` fault, or null. */
    pageSize: () => (fault.mode === 'page' ? fault.size : null),
    priceFactor: () => (fault.mode === 'price' ? BigInt(fault.factor) : 1n),

    /** Waits as long as a delay fault requires. False if it hung and the request must not be processed. */
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
