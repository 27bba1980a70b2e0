'use client';

import { Component, type ComponentType, createElement, lazy, type ReactNode, Suspense, useState } from 'react';
import { NotLoaded } from './not-loaded.tsx';

/** The script of a part could not be loaded. Other errors are those of the page. */
class LoadError extends Error {}

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
      <Boundary key={failures} failed={<NotLoaded again={failures > 0} onRetry={retry} />}>
        <Suspense fallback={loading}>{createElement(Part, props)}</Suspense>
      </Boundary>
    );
  };
}

type BoundaryProps = { failed: ReactNode; children: ReactNode };

/** Only a class can catch the error of a component. */
class Boundary extends Component<BoundaryProps, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    if (error instanceof LoadError) return this.props.failed;
    throw error;
  }
}
