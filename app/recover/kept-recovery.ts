import type { GuardianRole } from '../../protocol/ids.ts';

/** A link to pass on. */
export interface GuardianLink {
  readonly role: GuardianRole;
  readonly url: string;
}

export interface KeptRequest {
  readonly requestId: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** Empty where the request was made on another device. */
  readonly links: readonly GuardianLink[];
}

/**
 * A recovery that was begun in this browser; the key is in browser-copy.ts, encrypted. The links lie open here: without a
 * guardian's key and the six words they are good for nothing.
 */
export interface KeptRecovery {
  readonly beoId: string;
  readonly domain: string;
  /** The new key, lower-case hex. */
  readonly publicKey: string;
  /** The identity's key when the new one was made. */
  readonly formerKey: string;
  readonly request: KeptRequest | null;
  readonly recovered: boolean;
}

const PREFIX = 'perpetua-recovery:';

export function readKept(beoId: string): KeptRecovery | null {
  try {
    return parsed(localStorage.getItem(PREFIX + beoId));
  } catch {
    return null;
  }
}

/** Those that were begun here and are not over. */
export function readUnfinished(): KeptRecovery[] {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    return names.flatMap((name) => parsed(localStorage.getItem(name)) ?? []).filter(({ recovered }) => !recovered);
  } catch {
    return [];
  }
}

/** Quiet where the browser keeps nothing. */
export function writeKept(kept: KeptRecovery): void {
  try {
    localStorage.setItem(PREFIX + kept.beoId, JSON.stringify(kept));
  } catch {
    // The page goes on without; it says so where the key is not kept either.
  }
}

export function forgetKept(beoId: string): void {
  try {
    localStorage.removeItem(PREFIX + beoId);
  } catch {
    // Nothing was kept.
  }
}

/** What this browser wrote itself, so its form is known; a broken one is none. */
function parsed(text: string | null): KeptRecovery | null {
  if (text === null) return null;
  try {
    const kept = JSON.parse(text) as KeptRecovery;
    return typeof kept?.publicKey === 'string' && typeof kept.domain === 'string' ? kept : null;
  } catch {
    return null;
  }
}
