'use client';

import { Component, type ReactNode } from 'react';

type BoundaryProps = {
  /** Takes the place of children that threw. To render them again, give the boundary another `key`. */
  failed: ReactNode;
  /** The errors that are caught; every one without it. Others are those of the page. */
  catches?: (error: unknown) => boolean;
  children: ReactNode;
};

/** Catches what its children throw as they render. Only a class can. */
export class Boundary extends Component<BoundaryProps, { thrown: { error: unknown } | null }> {
  override state: { thrown: { error: unknown } | null } = { thrown: null };

  static getDerivedStateFromError(error: unknown) {
    return { thrown: { error } };
  }

  override render(): ReactNode {
    const { failed, catches, children } = this.props;
    const { thrown } = this.state;
    if (thrown === null) return children;
    if (catches?.(thrown.error) === false) throw thrown.error;
    return failed;
  }
}
