import { PerpetuaError } from '../../client/errors.ts';
import { inflated, openShareLink, readShareLink, type SharedFile, type ShareLink } from '../../client/shares.ts';

export type { SharedFile, ShareLink };

/** Why a link cannot be read, or was not opened. */
export type Problem =
  | 'unreadable'
  | 'newer'
  | 'expired'
  | 'ended'
  | 'passcode'
  | 'altered'
  | 'tooLarge'
  | 'busy'
  | 'unreachable'
  | 'unexpected'
  | 'notLoaded';

/** The link in a text; null for a text without one. */
export function readLink(text: string): ShareLink | Extract<Problem, 'unreadable' | 'newer'> {
  try {
    return readShareLink(text);
  } catch (error) {
    return error instanceof PerpetuaError && error.details.version !== undefined ? 'newer' : 'unreadable';
  }
}

export type Opening =
  | { readonly files: readonly SharedFile[] }
  /** `attempts` are those that are left after a wrong passcode, if the server tells. */
  | { readonly problem: Problem; readonly attempts: number | null };

const TOO_MANY_REQUESTS = 429;

/** Opens a link, which counts as an opening, and decrypts its files. Never throws. @param now ms since 1970 */
export async function openLink(
  link: ShareLink,
  {
    recipient,
    passcode,
    signal,
  }: { readonly recipient: string; readonly passcode: string; readonly signal: AbortSignal },
  now: number,
): Promise<Opening> {
  try {
    return { files: await openShareLink(link, { recipient, signal, ...(passcode !== '' && { passcode }) }) };
  } catch (error) {
    const attempts = error instanceof PerpetuaError ? error.details.remainingAttempts : null;
    return { problem: problemOf(error, link, now), attempts: typeof attempts === 'number' ? attempts : null };
  }
}

function problemOf(error: unknown, { exp }: ShareLink, now: number): Problem {
  if (!(error instanceof PerpetuaError)) return 'unexpected';
  const { code, status, details } = error;
  if (details.tooLarge) return 'tooLarge';
  if (status === TOO_MANY_REQUESTS) return 'busy';
  switch (code) {
    case 'NOT_FOUND':
      return exp !== null && exp * 1_000 < now ? 'expired' : 'ended';
    case 'PASSCODE_INVALID':
      return 'passcode';
    case 'SHARE_INVALID':
    case 'LINK_INVALID':
      return 'altered';
    case 'NO_RESPONSE':
      return 'unreachable';
    default:
      return 'unexpected';
  }
}

const MAX_CARD_BYTES = 2 ** 22;

/** Decompresses raw DEFLATE. @throws {PerpetuaError} SHARE_INVALID if it is broken, or larger than 4 MiB */
export const inflate = (bytes: Uint8Array): Promise<Uint8Array> => inflated(new Uint8Array(bytes), MAX_CARD_BYTES);

/** Whether this browser can decrypt a share: old ones lack raw DEFLATE, and pages without HTTPS have no cryptography. */
export function canDecrypt(): boolean {
  try {
    return Boolean(globalThis.crypto?.subtle && new DecompressionStream('deflate-raw'));
  } catch {
    return false;
  }
}
