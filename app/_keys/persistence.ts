'use client';

import { useEffect, useState } from 'react';

/** Asks the browser not to clear what this site stores; it may ask the person, or refuse. Never throws. */
export async function askToPersist(): Promise<void> {
  try {
    if (!(await navigator.storage.persisted())) await navigator.storage.persist();
  } catch {
    // The pages say where the browser may clear the key.
  }
}

/** Whether the browser may clear what this site stores without asking; false until it is known. */
export function useMayBeCleared(): boolean {
  const [may, setMay] = useState(false);
  useEffect(() => {
    let left = false;
    const read = async () => !(await navigator.storage.persisted());
    read().then(
      (found) => left || setMay(found),
      () => left || setMay(true),
    );
    return () => {
      left = true;
    };
  }, []);
  return may;
}
