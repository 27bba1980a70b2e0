'use client';

import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { isStorageReadable, onStorageChange } from './storage-status.ts';

/** Shows its content while this browser's storage cannot be read, and `again` once it can, until the person goes on. */
export function StorageNotice({ children, again }: { children: ReactNode; again: ReactNode }) {
  const isReadable = useSyncExternalStore(onStorageChange, isStorageReadable, () => true);
  const path = usePathname();
  const [failedAt, setFailedAt] = useState<string | null>(null);

  useEffect(() => {
    if (!isReadable) setFailedAt(path);
  }, [isReadable, path]);

  return (
    <div role="status" className="print:hidden">
      {isReadable ? failedAt === path && again : children}
    </div>
  );
}
