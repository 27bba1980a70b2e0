'use client';

import { measureElement, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Items rendered beyond the window on either side, for keyboard navigation. */
const BEYOND = 4;

type WindowRows<Row> = {
  /** Contains the rows. */
  list: RefObject<HTMLElement | null>;
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** The height of a row in px, until it is measured. */
  usualHeight: number;
  /** Whether rows that were not measured are taken to be as high as the first that was. */
  likeFirst?: boolean;
  /** The gap between two rows, in px. */
  gap?: number;
};

/** The rows of a long list that are in the window, all when it is printed, and the height of what is above the list. */
export function useWindowRows<Row>({ list, rows, keyOf, usualHeight, likeFirst = false, gap = 0 }: WindowRows<Row>): {
  readonly virtual: Virtualizer<Window, Element>;
  readonly above: number;
} {
  const [above, setAbove] = useState(0);
  const [isPrinting, setPrinting] = useState(false);
  // A row that differs from its estimate moves all that follow.
  const measured = useRef<number>(null);
  const virtual = useWindowVirtualizer<Element>({
    count: rows.length,
    estimateSize: () => measured.current ?? usualHeight,
    measureElement(element, entry, instance) {
      const height = measureElement(element, entry, instance);
      if (likeFirst && height > 0) measured.current ??= height;
      return height;
    },
    getItemKey: useCallback(
      (index: number) => (index < rows.length ? keyOf(rows[index] as Row) : index),
      [rows, keyOf],
    ),
    overscan: isPrinting ? rows.length : BEYOND,
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
