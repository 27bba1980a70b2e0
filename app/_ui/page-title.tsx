'use client';

import { useSelectedLayoutSegments } from 'next/navigation';
import { type Titles, titleAt } from './title-at.ts';

const isGroup = (segment: string): boolean => segment.startsWith('(');

/**
 * The title of whatever page is open. It changes together with the page: the titles of Next's metadata come a moment after it, and
 * until then a page has none, so that a tab shows the address and a screen reader says it.
 */
export function PageTitle({ titles }: { titles: Titles }) {
  const segments = useSelectedLayoutSegments().filter((segment) => !isGroup(segment));
  return <title>{titleAt(titles, segments)}</title>;
}
