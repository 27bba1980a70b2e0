'use client';

import { useEffect, useState } from 'react';
import { deferred } from '../_ui/deferred.tsx';
import type { Titles } from '../_ui/title-at.ts';

const Palette = deferred(() => import('./palette.tsx').then((module) => module.Palette));

/** Opens the palette with ⌘K or Ctrl-K, and from its buttons. It is loaded when it is opened. */
export function PaletteRoot({ titles, name }: { titles: Titles; name: string }) {
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    addEventListener(
      'keydown',
      (event) => {
        if (!(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k')
          return;
        event.preventDefault();
        // Another dialog may be waiting for a decision.
        if (!document.querySelector('dialog[open]')) setOpen(true);
      },
      { signal },
    );
    addEventListener(
      'click',
      ({ target }) => {
        if (target instanceof Element && target.closest('[data-opens-palette]')) setOpen(true);
      },
      { signal },
    );
    return () => ended.abort();
  }, []);

  return isOpen && <Palette titles={titles} name={name} onClose={() => setOpen(false)} />;
}
