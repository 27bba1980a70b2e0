import type { ReactNode } from 'react';
import { Text } from './code.tsx';
import { PITFALLS } from './pitfalls.ts';

/** A part of the overview. */
export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="mt-12 max-w-prose">
      <h2 id={id} className="scroll-mt-4">
        {title}
      </h2>
      <div className="mt-3">{children}</div>
    </section>
  );
}

export function Pitfalls() {
  return (
    <section className="mt-12">
      <h2 id="pitfalls" className="scroll-mt-4">
        Known pitfalls
      </h2>
      <div className="mt-4 grid grid-cols-1 gap-x-10 gap-y-6 md:grid-cols-2">
        {PITFALLS.map(({ title, text }) => (
          <section key={title} className="border-t border-line pt-3">
            <h3>{title}</h3>
            <p className="mt-1">
              <Text>{text}</Text>
            </p>
          </section>
        ))}
      </div>
    </section>
  );
}
