/** Sets of ids by key. Most keys have one id. */
export interface Multimap {
  add(key: string, id: string): void;
  remove(key: string, id: string): void;
  of(key: string): readonly string[];
}

/** A single id is stored without a Set, which saves memory when there are millions of keys. */
export function createMultimap(): Multimap {
  const groups = new Map<string, string | Set<string>>();
  return {
    add(key, id) {
      const group = groups.get(key);
      if (group instanceof Set) group.add(id);
      else groups.set(key, group === undefined || group === id ? id : new Set([group, id]));
    },
    remove(key, id) {
      const group = groups.get(key);
      if (group instanceof Set) group.delete(id);
      if (group === id || (group instanceof Set && group.size === 0)) groups.delete(key);
    },
    of(key) {
      const group = groups.get(key);
      return group === undefined ? [] : typeof group === 'string' ? [group] : [...group];
    },
  };
}
