/**
 * What this browser's storage contained. `unreadable` is not empty: the content is unknown, so nothing may be concluded from it,
 * and nothing written over it.
 */
export type Read<Value> = { readonly state: 'read'; readonly value: Value } | { readonly state: 'unreadable' };

export const UNREADABLE: Read<never> = { state: 'unreadable' };
export const readAs = <Value>(value: Value): Read<Value> => ({ state: 'read', value });

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** Reads again, after growing pauses, until the storage can be read. `onUnreadable` is called each time it cannot. Never settles once aborted. */
export function untilRead<Value>(
  read: () => Promise<Read<Value>>,
  signal: AbortSignal,
  onUnreadable: () => void = () => {},
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const attempt = async (pause: number): Promise<void> => {
      const found = await read();
      if (signal.aborted) return;
      if (found.state === 'read') return resolve(found.value);
      onUnreadable();
      const timer = setTimeout(() => attempt(Math.min(2 * pause, MAX_PAUSE_MS)).catch(reject), pause);
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    };
    attempt(FIRST_PAUSE_MS).catch(reject);
  });
}
