import { useEffect } from 'react';

/**
 * Loads what a later step needs once the person begins to use the page: whoever only reads it does not load it. `load` is the same
 * function at every render. If it fails, the part is loaded when it is needed.
 */
export function useLoadAhead(load: () => Promise<unknown>): void {
  useEffect(() => {
    const waiting = new AbortController();
    const begin = () => {
      waiting.abort();
      load().catch(() => {});
    };
    for (const event of ['pointerdown', 'keydown']) addEventListener(event, begin, { signal: waiting.signal });
    return () => waiting.abort();
  }, [load]);
}

/** Loads a part while the page reads what it will show in it. If it fails, the part is loaded when it is needed. */
export function useLoadMeanwhile(load: () => Promise<unknown>): void {
  useEffect(() => {
    load().catch(() => {});
  }, [load]);
}
