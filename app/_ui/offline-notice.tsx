'use client';

import { WifiOff } from 'lucide-react';
import { useOffline } from 'next/offline';

/** Says that there is no connection, while there is none. Next keeps the page and follows a link once it is back. */
export function OfflineNotice({ children }: { children: string }) {
  const isOffline = useOffline();
  return (
    <div role="status" className="sticky top-0 z-10 print:hidden">
      {isOffline && (
        <p className="flex items-center justify-center gap-2 border-b border-caution-edge bg-caution-soft px-4 py-2 text-sm font-semibold text-caution-ink">
          <WifiOff aria-hidden className="size-5 shrink-0" />
          {children}
        </p>
      )}
    </div>
  );
}
