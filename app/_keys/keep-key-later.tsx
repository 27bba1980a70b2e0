'use client';

import { deferred } from '../_ui/deferred.tsx';
import { ScreenSkeleton } from '../_ui/skeletons.tsx';

/** Loads the form that makes a copy of a key: the settings do without it until then. */
export const loadKeepKey = async () => (await import('./keep-key.tsx')).KeepKey;

export const KeepKey = deferred(loadKeepKey, <ScreenSkeleton />);
