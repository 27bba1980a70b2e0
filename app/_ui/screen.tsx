'use client';

import { type ReactNode, useEffect, useRef } from 'react';

export type ScreenProps = {
  title: ReactNode;
  children: ReactNode;
  /** Level of the heading. */
  heading?: 'h1' | 'h2';
  /** False where the page opens with this screen: the focus then stays where the browser put it. */
  focus?: boolean;
  className?: string;
};

/** One thing to read or do. Its heading takes the focus when the screen appears, so that a screen reader begins there. */
export function Screen({ title, children, heading: Heading = 'h2', focus = true, className }: ScreenProps) {
  const ref = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (focus) ref.current?.focus();
  }, [focus]);

  return (
    <section className={className}>
      <Heading ref={ref} tabIndex={-1} className="text-2xl focus:outline-none">
        {title}
      </Heading>
      {children}
    </section>
  );
}
