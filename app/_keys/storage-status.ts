/** The databases of this browser whose last use failed. */
const unreadable = new Set<string>();
const listeners = new Set<() => void>();

export function setReadable(database: string, readable: boolean): void {
  if (readable !== unreadable.has(database)) return;
  if (readable) unreadable.delete(database);
  else unreadable.add(database);
  for (const listener of listeners) listener();
}

export const isStorageReadable = (): boolean => unreadable.size === 0;

/** Calls back after each change of `isStorageReadable`. @returns what ends it */
export function onStorageChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
