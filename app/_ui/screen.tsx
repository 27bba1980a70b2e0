'use client';

import { createContext, type ReactNode, use, useEffect, useRef } from 'react';

/** Whether the next screen that opens takes the focus. A flow begins with false, because the browser sets the focus of a new page. */
export const FocusOnOpening = createContext({ current: true });

export type ScreenProps = {
  title: ReactNode;
  children: ReactNode;
  /** Level of the heading. */
  heading?: 'h1' | 'h2';
  /** Whether it takes the focus, where it is not in a flow. */
  focus?: boolean | undefined;
  className?: string;
};

/** One screen of a flow. Its heading takes the focus, so that a screen reader begins there. */
export function Screen({ title, children, heading: Heading = 'h2', focus, className }: ScreenProps) {
  const ref = useRef<HTMLHeadingElement>(null);
  const onOpening = use(FocusOnOpening);

  useEffect(() => {
    if (focus ?? onOpening.current) ref.current?.focus();
    onOpening.current = true;
  }, [focus, onOpening]);

  return (
    <section className={className}>
      <Heading ref={ref} tabIndex={-1} className="focus:outline-none">
        {title}
      </Heading>
      {children}
    </section>
  );
}
