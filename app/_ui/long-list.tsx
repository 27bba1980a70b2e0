'use client';

import { type ReactNode, useMemo, useRef } from 'react';
import { useWindowRows } from './use-window-rows.ts';

type LongListProps<Item> = {
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => string;
  /** The height of an item in px, until it is measured. */
  usualHeight: number;
  /** The gap between two items, in px. */
  gap: number;
  /** `settled` is false while the page is scrolled: requests can wait. */
  render: (item: Item, settled: boolean) => ReactNode;
};

/** A virtual list: only the items in the window are rendered. */
export function LongList<Item>({ label, items, keyOf, usualHeight, gap, render }: LongListProps<Item>) {
  const list = useRef<HTMLUListElement>(null);
  const { virtual, above } = useWindowRows({ list, rows: items, keyOf, usualHeight, gap });

  return (
    // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers
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

/** Memoized: scrolling does not change an item. */
function Drawn<Item>({ item, settled, render }: DrawnProps<Item>) {
  return useMemo(() => render(item, settled), [item, settled, render]);
}
