import { limitNames, NETWORK_FACTORS } from '../../settings/client-address.ts';

export interface BodyQueue {
  /** Runs `work`, which reads and parses a body of at most `bytes` bytes, when this address has capacity. */
  runQueued<Result>(address: string, bytes: number, work: () => Promise<Result>): Promise<Result>;
}

interface Body {
  /** The names under which its address counts. */
  readonly names: readonly string[];
  readonly bytes: number;
  begun: boolean;
  begin: () => void;
}

/** Small bodies never wait, so that a slow upload does not delay small requests of the same address. */
export const SMALL_BODY_BYTES = 16 * 1024;

/**
 * Limits the bytes that one client address has in reading and parsing at a time to `maxBytes`, or one body; the /56 and /48 of an
 * IPv6 address to 4 and 16 times as many. Further bodies wait unread, in order. Each request was charged before, so few can wait.
 */
export function createBodyQueue(maxBytes: number): BodyQueue {
  const inUse = new Map<string, number>();
  /** In order, by the widest network. */
  const queues = new Map<string, readonly Body[]>();

  function use({ names, bytes }: Body, change: 1 | -1): void {
    for (const name of names) {
      const used = (inUse.get(name) ?? 0) + change * bytes;
      if (used === 0) inUse.delete(name);
      else inUse.set(name, used);
    }
  }

  /** Begins the bodies that fit, except behind one that waits for the same address or network. */
  function admit(widest: string): void {
    const full = new Set<string>();
    const waiting = (queues.get(widest) ?? []).filter((body) => {
      const { names, bytes } = body;
      const fits = (name: string, index: number): boolean => {
        const used = inUse.get(name) ?? 0;
        return !full.has(name) && (used === 0 || used + bytes <= maxBytes * (NETWORK_FACTORS[index] ?? 1));
      };
      const over = names.filter((name, index) => !fits(name, index));
      for (const name of over) full.add(name);
      if (over.length > 0) return true;
      use(body, 1);
      body.begun = true;
      body.begin();
      return false;
    });
    if (waiting.length === 0) queues.delete(widest);
    else queues.set(widest, waiting);
  }

  return {
    async runQueued(address, bytes, work) {
      if (bytes <= SMALL_BODY_BYTES) return work();
      const names = limitNames(address);
      const widest = names.at(-1) ?? '';
      const body: Body = { names, bytes, begun: false, begin: () => undefined };
      queues.set(widest, [...(queues.get(widest) ?? []), body]);
      admit(widest);
      if (!body.begun) {
        await new Promise<void>((begin) => {
          body.begin = begin;
        });
      }
      try {
        return await work();
      } finally {
        use(body, -1);
        setImmediate(admit, widest);
      }
    },
  };
}
