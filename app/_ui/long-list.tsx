'use client';

import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react';

/** Items beyond the window on either side, for the next press of a key. */
const BEYOND = 4;

type LongListProps<Item> = {
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** Of one item, in px, until it was measured. */
  usualHeight: number;
  /** Between two items, in px. */
  gap: number;
  /** `settled` is false while the page is being scrolled: what costs a request can wait. */
  render: (item: Item, settled: boolean) => ReactNode;
};

/** Any number of items, one below the other; only those in the window are on the page. */
export function LongList<Item>({ label, items, keyOf, usualHeight, gap, render }: LongListProps<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const [above, setAbove] = useState(0);
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => usualHeight,
    getItemKey: (index) => (items[index] === undefined ? index : keyOf(items[index])),
    overscan: BEYOND,
    gap,
    scrollMargin: above,
  });

  // What is above it changes in height: notices, filters that wrap.
  useLayoutEffect(() => {
    const measure = () => setAbove(Math.round((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);

  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari forgets that a list without marks is one
    <ul ref={list} role="list" aria-label={label} className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index];
        return (
          item !== undefined && (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start - above}px)` }}
            >
              <Drawn item={item} settled={!virtual.isScrolling} render={render} />
            </li>
          )
        );
      })}
    </ul>
  );
}

type DrawnProps<Item> = { item: Item; settled: boolean } & Pick<LongListProps<Item>, 'render'>;

/** Moving the list changes nothing in an item. */
function Drawn<Item>({ item, settled, render }: DrawnProps<Item>) {
  return useMemo(() => render(item, settled), [item, settled, render]);
}
