'use client';

import { deferred } from '../../_ui/deferred.tsx';
import { ScreenSkeleton } from '../../_ui/skeletons.tsx';

/** The last screen, loaded when it is shown. */
export const AcceptedPart = deferred(async () => (await import('./accepted.tsx')).Accepted, <ScreenSkeleton />);
