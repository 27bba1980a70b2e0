import { refusal } from '../../protocol/errors.ts';

/**
 * Gathers single look-ups into one query: what is asked while queries are under way goes together into the next one. Nothing
 * is remembered between queries, so an answer is never older than its question.
 * @throws UNAVAILABLE where too many questions wait for a database that does not answer.
 */
export function createBatcher<Value>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  { maxKeys = 256, maxInFlight = 2, maxWaiting = 10_000 } = {},
): (key: string) => Promise<Value | undefined> {
  interface Asked {
    readonly key: string;
    readonly resolve: (value: Value | undefined) => void;
    readonly reject: (error: unknown) => void;
  }
  let asked: Asked[] = [];
  let inFlight = 0;
  let scheduled = false;

  function schedule(): void {
    if (scheduled || inFlight >= maxInFlight || asked.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      void flush();
    });
  }

  async function flush(): Promise<void> {
    const batch = asked.slice(0, maxKeys);
    asked = asked.slice(maxKeys);
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
      if (asked.length >= maxWaiting) return reject(refusal('UNAVAILABLE'));
      asked.push({ key, resolve, reject });
      schedule();
    });
}
