'use client';

import { type ReactNode, useLayoutEffect } from 'react';
import { Button } from './button.tsx';
import { THEME_KEY } from './early-script.ts';

/** Switches between light and dark. Only a choice that differs from the system's is stored, so that the system's applies again. */
export function ThemeToggle({ children }: { children: ReactNode }) {
  useLayoutEffect(takeUp, []);
  return (
    <Button look="quiet" size="line" className="unscripted:hidden" onClick={toggle}>
      {children}
    </Button>
  );
}

/** After an error on the server the browser renders the document again, without running the script in its head. */
function takeUp() {
  const { dataset } = document.documentElement;
  dataset.scripts = 'on';
  dataset.theme = chosen() ?? '';
}

function chosen(): string | null {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    return null;
  }
}

function toggle() {
  const { dataset } = document.documentElement;
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  const next = (dataset.theme || system) === 'dark' ? 'light' : 'dark';
  dataset.theme = next === system ? '' : next;
  try {
    if (next === system) localStorage.removeItem(THEME_KEY);
    else localStorage.setItem(THEME_KEY, next);
  } catch {
    // Without storage the theme of this page still changes.
  }
}
