'use client';

import { useOffline } from 'next/offline';
import type { ReactNode } from 'react';

/** Shows its content while there is no connection. Next keeps the page and follows a link once it is back. */
export function OfflineNotice({ children }: { children: ReactNode }) {
  const isOffline = useOffline();
  return (
    <div role="status" className="sticky top-0 z-10 print:hidden">
      {isOffline && children}
    </div>
  );
}
