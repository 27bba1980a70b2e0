import { useSyncExternalStore } from 'react';
import { generateKey, type Key } from '../../../client/keys.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import type { Members } from './target.ts';

/** The disposable key, and the ids of what it created. In memory only: both are gone when the page is closed or reloaded. */
export interface TrySession {
  readonly key: Key;
  /** By the name of the field or parameter that takes the id. */
  readonly ids: Readonly<Record<string, string>>;
}

/** The fields and parameters that take each id of a response. */
const TAKEN_BY: Readonly<Record<string, readonly string[]>> = {
  beo_id: ['beoId', 'targetBeo', 'beo_domain'],
  ieo_id: ['ieoId', 'ieo_domain'],
  token_id: ['tokenId', 'consentToken'],
  transactionId: ['id'],
};

let session: TrySession | null = null;
const listeners = new Set<() => void>();

function current(): TrySession {
  session ??= { key: generateKey(), ids: {} };
  return session;
}

function change(next: TrySession): void {
  session = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useTrySession = (): TrySession => useSyncExternalStore(subscribe, current);

/** Makes another key. What the old one created cannot be changed any more. */
export function renewKey(): Key {
  const key = generateKey();
  change({ key, ids: {} });
  return key;
}

/** Keeps the ids in the response to an operation, so that other forms begin with them. */
export function rememberIds(response: Json): void {
  const found = idsIn(response).flatMap(([name, id]) => (TAKEN_BY[name] ?? []).map((field) => [field, id] as const));
  change({ ...current(), ids: { ...current().ids, ...Object.fromEntries(found) } });
}

/** The ids of an accepted operation, and of the entity in its response. */
function idsIn(value: Json): readonly (readonly [name: string, id: string])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const { token = null, ...members } = value as Members;
  const own = Object.entries(members).flatMap(([name, member]) =>
    typeof member === 'string' && name in TAKEN_BY ? [[name, member] as const] : [],
  );
  return [...idsIn(token), ...own];
}
