import type { GuardianRole } from '../../protocol/entities/guardian.ts';

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
 * A recovery that was begun in this browser; browser-copy.ts has the key, encrypted. The links are stored in the clear:
 * they are useless without a guardian's key and the six words.
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

/** The recoveries that were begun in this browser and are not finished. */
export function readUnfinished(): KeptRecovery[] {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
    return names.flatMap((name) => parsed(localStorage.getItem(name)) ?? []).filter(({ recovered }) => !recovered);
  } catch {
    return [];
  }
}

/** Does nothing where the browser refuses to store; the page then warns where it could not store the key either. */
export function writeKept(kept: KeptRecovery): void {
  try {
    localStorage.setItem(PREFIX + kept.beoId, JSON.stringify(kept));
  } catch {}
}

export function forgetKept(beoId: string): void {
  try {
    localStorage.removeItem(PREFIX + beoId);
  } catch {}
}

/** Only this page writes these values, so a check of two members suffices. */
function parsed(text: string | null): KeptRecovery | null {
  if (text === null) return null;
  try {
    const kept = JSON.parse(text) as KeptRecovery;
    return typeof kept?.publicKey === 'string' && typeof kept.domain === 'string' ? kept : null;
  } catch {
    return null;
  }
}
