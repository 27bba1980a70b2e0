import { refusal } from '../../../protocol/errors.ts';

/**
 * Combines single reads into one query: reads that arrive while queries are in flight share the next one. Nothing is
 * cached, so a value is never older than its read.
 * @throws UNAVAILABLE if too many reads are waiting
 */
export function createBatcher<Value>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  { maxKeys = 256, maxInFlight = 2, maxWaiting = 10_000 } = {},
): (key: string) => Promise<Value | undefined> {
  interface Read {
    readonly key: string;
    readonly resolve: (value: Value | undefined) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Read[] = [];
  let inFlight = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || inFlight >= maxInFlight || waiting.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      void flush();
    });
  }

  async function flush(): Promise<void> {
    const batch = waiting.slice(0, maxKeys);
    waiting = waiting.slice(maxKeys);
    inFlight += 1;
    try {
      const values = await load([...new Set(batch.map(({ key }) => key))]);
      for (const { key, resolve } of batch) resolve(values.get(key));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      inFlight -= 1;
      schedule();
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting) return reject(refusal('UNAVAILABLE'));
      waiting.push({ key, resolve, reject });
      schedule();
    });
}
