'use client';

import { type ComponentType, useEffect, useState } from 'react';
import { SITE_MENU } from '../_ui/site-menu.tsx';
import type { Titles } from '../_ui/title-at.ts';

type PaletteRootProps = { titles: Titles; name: string };
type Palette = ComponentType<PaletteRootProps & { onClose: () => void }>;

/** Opens the palette with ⌘K or Ctrl-K, and from its buttons. It is loaded when it is opened: every page has this part. */
export function PaletteRoot(props: PaletteRootProps) {
  const [Opened, setOpened] = useState<Palette | null>(null);

  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const open = async () => {
      // Another dialog may be waiting for a decision.
      if (document.querySelector('dialog[open]')) return;
      try {
        const { Palette } = await import('./palette.tsx');
        setOpened(() => Palette);
      } catch {
        // Without a connection: the menu is there, with its links and its search.
        document.getElementById(SITE_MENU)?.showPopover();
      }
    };
    addEventListener(
      'keydown',
      (event) => {
        const { key, metaKey, ctrlKey, shiftKey, altKey } = event;
        if (key.toLowerCase() !== 'k' || !(metaKey || ctrlKey) || shiftKey || altKey) return;
        event.preventDefault();
        void open();
      },
      { signal },
    );
    addEventListener(
      'click',
      ({ target }) => {
        if (target instanceof Element && target.closest('[data-opens-palette]')) void open();
      },
      { signal },
    );
    return () => ended.abort();
  }, []);

  return Opened && <Opened {...props} onClose={() => setOpened(null)} />;
}
