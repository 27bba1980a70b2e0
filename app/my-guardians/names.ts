'use client';

import { useEffect, useSyncExternalStore } from 'react';
import { useSession } from '../session/session.tsx';
import type { Person } from './configuration.ts';

type People = ReadonlyMap<string, Person>;

const NOBODY: People = new Map();
const listeners = new Set<() => void>();
/** By guardian_id. In memory only: the browser writes nobody's name down. */
let people: People = NOBODY;

function change(next: People): void {
  people = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Remembers whom the holder has named, until the key is put away or the page is left. */
export const rememberPerson = (guardianId: string, person: Person): void =>
  change(new Map(people).set(guardianId, person));

/** Who was named on this visit. Without an open key nobody, and it is forgotten. */
export function useNames(): People {
  const { isOpen } = useSession();
  useEffect(() => {
    if (!isOpen && people.size > 0) change(NOBODY);
  }, [isOpen]);
  const known = useSyncExternalStore(
    subscribe,
    () => people,
    () => NOBODY,
  );
  return isOpen ? known : NOBODY;
}
