'use client';

import { type ReactNode, useEffect, useRef } from 'react';

export type ScreenProps = {
  title: ReactNode;
  children: ReactNode;
  /** Level of the heading. */
  heading?: 'h1' | 'h2';
  /** False for the first screen of a page: the browser then sets the focus. */
  focus?: boolean;
  className?: string;
};

/** One screen of a flow. Its heading takes the focus, so that a screen reader begins there. */
export function Screen({ title, children, heading: Heading = 'h2', focus = true, className }: ScreenProps) {
  const ref = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (focus) ref.current?.focus();
  }, [focus]);

  return (
    <section className={className}>
      <Heading ref={ref} tabIndex={-1} className="focus:outline-none">
        {title}
      </Heading>
      {children}
    </section>
  );
}
