'use client';

import { useSelectedLayoutSegments } from 'next/navigation';
import { type Titles, titleAt } from './title-at.ts';

const isGroup = (segment: string): boolean => segment.startsWith('(');

/**
 * Sets the title together with the page. Next's metadata comes a moment later; until then a tab would show the address, and
 * a screen reader would announce it.
 */
export function PageTitle({ titles }: { titles: Titles }) {
  const segments = useSelectedLayoutSegments().filter((segment) => !isGroup(segment));
  return <title>{titleAt(titles, segments)}</title>;
}
