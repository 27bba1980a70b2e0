import { limitSubject } from '../../client-address.ts';

export interface BodyQueue {
  /** Runs `work`, which reads and parses a body of at most `bytes` bytes, when this address has capacity. */
  runQueued<Result>(address: string, bytes: number, work: () => Promise<Result>): Promise<Result>;
}

interface Queue {
  bytesInUse: number;
  readonly waiting: { readonly bytes: number; readonly begin: () => void }[];
}

/** Small bodies never wait, so that a slow upload does not delay small requests of the same address. */
export const SMALL_BODY_BYTES = 16 * 1024;

/**
 * Limits the bytes that one client address has in reading and parsing at a time to `maxBytes`, or one body. Further
 * bodies wait unread, in order. Each request was charged before, so few can wait.
 */
export function createBodyQueue(maxBytes: number): BodyQueue {
  const queues = new Map<string, Queue>();

  function admit(name: string, queue: Queue): void {
    for (let next = queue.waiting[0]; next && fits(queue, next.bytes); next = queue.waiting[0]) {
      queue.waiting.shift();
      queue.bytesInUse += next.bytes;
      next.begin();
    }
    if (queue.bytesInUse === 0) queues.delete(name);
  }

  const fits = ({ bytesInUse }: Queue, bytes: number): boolean => bytesInUse === 0 || bytesInUse + bytes <= maxBytes;

  return {
    async runQueued(address, bytes, work) {
      if (bytes <= SMALL_BODY_BYTES) return work();
      const name = limitSubject(address);
      const queue = queues.get(name) ?? { bytesInUse: 0, waiting: [] };
      queues.set(name, queue);
      if (queue.waiting.length === 0 && fits(queue, bytes)) queue.bytesInUse += bytes;
      else await new Promise<void>((begin) => queue.waiting.push({ bytes, begin }));
      try {
        return await work();
      } finally {
        queue.bytesInUse -= bytes;
        setImmediate(admit, name, queue);
      }
    },
  };
}
