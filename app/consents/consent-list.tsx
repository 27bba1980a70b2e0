'use client';

import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { TokenView } from '../../protocol/token.ts';
import { ConsentCard } from './consent-card.tsx';

const USUAL_HEIGHT = 230;
const GAP = 12;
/** Cards beyond the window on either side, for the next press of a key. */
const BEYOND = 4;

type ConsentListProps = {
  consents: readonly TokenView[];
  onWithdraw: (consent: TokenView, name: string) => void;
};

/** Any number of consents; only those in the window are on the page. */
export function ConsentList({ consents, onWithdraw }: ConsentListProps) {
  const t = useTranslations('consents');
  const list = useRef<HTMLUListElement>(null);
  const [above, setAbove] = useState(0);
  const virtual = useWindowVirtualizer({
    count: consents.length,
    estimateSize: () => USUAL_HEIGHT,
    getItemKey: (index) => consents[index]?.token_id ?? index,
    overscan: BEYOND,
    gap: GAP,
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
    <ul ref={list} aria-label={t('list')} className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const consent = consents[index];
        return (
          consent && (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={consents.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start - above}px)` }}
            >
              <ConsentCard
                consent={consent}
                settled={!virtual.isScrolling}
                onWithdraw={(name) => onWithdraw(consent, name)}
              />
            </li>
          )
        );
      })}
    </ul>
  );
}
