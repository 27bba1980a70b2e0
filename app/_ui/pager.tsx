'use client';

import { clsx } from 'clsx';
import { ArrowLeft, ArrowRight, type LucideIcon } from 'lucide-react';
import { Button } from './button.tsx';
import { LocalLink } from './local-link.tsx';

/** A link to another page of a list; null where there is none. */
export interface PagerLink {
  readonly name: string;
  readonly href: string;
}

type PagerProps = { label: string; previous: PagerLink | null; next: PagerLink | null };

/** Links to the pages before and after. They are links, so that they work without scripts. */
export function Pager({ label, previous, next }: PagerProps) {
  if (!previous && !next) return null;
  return (
    <nav aria-label={label} className="my-5 flex flex-wrap justify-between gap-3 print:hidden">
      {previous && <PageLink link={previous} rel="prev" Icon={ArrowLeft} />}
      {next && <PageLink link={next} rel="next" Icon={ArrowRight} />}
    </nav>
  );
}

function PageLink({ link, rel, Icon }: { link: PagerLink; rel: 'prev' | 'next'; Icon: LucideIcon }) {
  const isNext = rel === 'next';
  return (
    <Button asChild look="secondary" className={clsx('max-sm:px-3', isNext && 'ml-auto')}>
      <LocalLink href={link.href} rel={rel}>
        {!isNext && <Icon aria-hidden />}
        {link.name}
        {isNext && <Icon aria-hidden />}
      </LocalLink>
    </Button>
  );
}
