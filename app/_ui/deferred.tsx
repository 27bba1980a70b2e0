'use client';

import { type ComponentType, createElement, lazy, type ReactNode, Suspense, useState } from 'react';
import { Boundary } from './boundary.tsx';
import { NotLoaded } from './not-loaded.tsx';

/** The script of a part could not be loaded. Other errors are those of the page. */
class LoadError extends Error {}

const isLoadError = (error: unknown): boolean => error instanceof LoadError;

/**
 * A part of a page that is loaded when it is needed. Where that fails, a sentence and a button to try again take its place, and
 * the rest of the page keeps its state. `loading` is shown meanwhile.
 */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  loading: ReactNode = null,
): ComponentType<Props> {
  const loaded = () =>
    lazy(async () => {
      const part = await load().catch((cause) => {
        throw new LoadError('A part of the page did not load.', { cause });
      });
      return { default: part as ComponentType<object> };
    });
  let Part = loaded();

  return function Deferred(props: Props) {
    const [failures, setFailures] = useState(0);
    const retry = () => {
      Part = loaded();
      setFailures(failures + 1);
    };
    return (
      <Boundary key={failures} failed={<NotLoaded again={failures > 0} onRetry={retry} />} catches={isLoadError}>
        <Suspense fallback={loading}>{createElement(Part, props)}</Suspense>
      </Boundary>
    );
  };
}
