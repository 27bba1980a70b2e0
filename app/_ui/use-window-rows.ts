'use client';

import { useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useState } from 'react';

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

/** The rows of a long list that are in the window, and the height of what is above the list. */
export function useWindowRows({ list, count, keyOf, usualHeight, gap = 0 }: WindowRows): {
  readonly virtual: Virtualizer<Window, Element>;
  readonly above: number;
} {
  const [above, setAbove] = useState(0);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => usualHeight,
    getItemKey: keyOf,
    overscan: BEYOND,
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

  return { virtual, above };
}
