'use client';

import { useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Items rendered beyond the window on either side, for keyboard navigation. */
const BEYOND = 4;

type WindowRows = {
  /** Contains the rows. */
  list: RefObject<HTMLElement | null>;
  count: number;
  keyOf: (index: number) => string;
  /** The height of a row in px, until it is measured. */
  usualHeight: number;
  /** The gap between two rows, in px. */
  gap?: number;
};

/** The rows of a long list that are in the window, all when it is printed, and the height of what is above the list. */
export function useWindowRows({ list, count, keyOf, usualHeight, gap = 0 }: WindowRows): {
  readonly virtual: Virtualizer<Window, Element>;
  readonly above: number;
} {
  const [above, setAbove] = useState(0);
  const [isPrinting, setPrinting] = useState(false);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => usualHeight,
    getItemKey: keyOf,
    overscan: isPrinting ? count : BEYOND,
    gap,
    scrollMargin: above,
  });

  // The height of what is above changes: notices, wrapping filters.
  useLayoutEffect(() => {
    const measure = () => setAbove(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);

  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    // The browser prints what is there when the event returns.
    addEventListener('beforeprint', () => flushSync(() => setPrinting(true)), { signal });
    addEventListener('afterprint', () => setPrinting(false), { signal });
    return () => ended.abort();
  }, []);

  return { virtual, above };
}
