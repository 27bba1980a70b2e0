'use client';

import { useSyncExternalStore } from 'react';

const TICK_MS = 5_000;

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let now = 0;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time of the last tick, or the time itself where no tick kept it current: on arrival at a page. */
function current(): number {
  if (Date.now() - now >= TICK_MS) now = Date.now();
  return now;
}

function tick() {
  if (document.hidden) return;
  now = Date.now();
  for (const listener of listeners) listener();
}

/** The time in ms, updated every five seconds while the page is visible. The first value is the server's. */
export function useNow(renderedAt: string): number {
  const first = Date.parse(renderedAt);
  return useSyncExternalStore(
    subscribe,
    () => Math.max(current(), first),
    () => first,
  );
}
