import { startTransition, useEffect, useState } from 'react';
import type { Csv } from './load-csv.ts';
import type { ParsedCsv, ReadRows, RowOptions } from './read-csv.ts';

/** How long the page may not respond, in ms. */
const STEP_MS = 30;

const NOTHING: ReadRows = { rows: [], leftOut: [], numericDays: false, localTimes: false };

export interface Reading {
  /** As read last; without rows until then. */
  readonly read: ReadRows;
  /** From 0 to 1 while rows are read, possibly again; null when `read` is what the options mean. */
  readonly progress: number | null;
}

/** Reads the rows of a file in short steps, so that the page responds meanwhile. `options` must stay the same object to read once. */
export function useReadRows(csv: Csv, parsed: ParsedCsv, options: RowOptions): Reading {
  const [done, setDone] = useState<{ readonly read: ReadRows; readonly options: RowOptions | null }>({
    read: NOTHING,
    options: null,
  });
  const [progress, setProgress] = useState(0);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const reading = csv.readingRows(parsed, options);
    const work = () => {
      const until = performance.now() + STEP_MS;
      do {
        const step = reading.next();
        if (step.done) {
          // A long table is rendered in steps too.
          const read = step.value;
          return startTransition(() => setDone({ read, options }));
        }
        setProgress(step.value / parsed.body.length);
      } while (performance.now() < until);
      timer = setTimeout(work);
    };
    work();
    return () => clearTimeout(timer);
  }, [csv, parsed, options]);

  return { read: done.read, progress: done.options === options ? null : progress };
}
